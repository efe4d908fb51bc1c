package org.leasehold.resource.openstack.volume;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.Share;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.openstack.ProxiedContract;

import java.util.List;
import java.util.Map;

/** The contract of all plugins, with volumes. */
abstract class OpenStackVolumesContract extends ProxiedContract {

    @Override
    protected ResourcePlugin plugin(Map<String, String> settings) {
        return new OpenStackVolumesProvider().create(settings);
    }

    /** Three types of which there can be volumes of a GiB. */
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
}
