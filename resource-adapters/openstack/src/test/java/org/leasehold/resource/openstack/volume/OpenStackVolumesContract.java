package org.leasehold.resource.openstack.volume;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.Allocation;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.openstack.OpenStackPluginContract;
import org.leasehold.resource.openstack.cinder.Cinder;
import org.leasehold.vocabulary.Share;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The contract of all plug-ins, with volumes. */
abstract class OpenStackVolumesContract extends OpenStackPluginContract {

    @Override
    protected ResourcePlugin plugin(Map<String, String> settings) {
        return new OpenStackVolumesProvider().create(settings);
    }

    /** Returns three types with room for volumes of a GiB. */
    abstract List<String> types();

    @Override
    protected List<String> resourceNames() {
        return types();
    }

    @Override
    protected String unknownName() {
        return "no such type";
    }

    @Override
    protected Map<String, @Nullable Object> parameters() {
        return Map.of("volume_type", types().getFirst(), "size", 1, "name", "contract");
    }

    @Override
    protected Map<String, @Nullable Object> changes() {
        return Map.of("size", 2);
    }

    @Override
    protected Allocation held(Allocation whole) {
        return whole.shared(new Share(1, Map.of("VOLUME_GB", 1L)));
    }

    @Override
    protected SortedMap<String, Consumer<Assignment>> pieces() {
        return new TreeMap<>(
                Map.of(
                        "volume",
                        assignment ->
                                byHand(
                                        cloud -> {
                                            Cinder cinder = new Cinder(cloud);
                                            cinder.volumesOf(assignment.reservation())
                                                    .forEach(cinder.fencedBy(() -> true)::delete);
                                            untilGone()
                                                    .await(
                                                            () ->
                                                                    cinder
                                                                            .volumesOf(
                                                                                    assignment
                                                                                            .reservation())
                                                                            .stream()
                                                                            .map(Object::toString)
                                                                            .findFirst());
                                        })));
    }
}
