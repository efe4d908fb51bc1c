package org.leasehold.resource.openstack.stack;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.Allocation;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.openstack.CloudSettings;
import org.leasehold.resource.openstack.OpenStackPluginContract;
import org.leasehold.resource.openstack.PollingWait;
import org.leasehold.resource.openstack.heat.Heat;
import org.leasehold.resource.stack.AddressPool;
import org.leasehold.resource.stack.OtherStackHolders;
import org.leasehold.vocabulary.Share;

import java.time.Duration;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The contract of all plug-ins, with stacks. */
abstract class OpenStackStacksContract extends OpenStackPluginContract {

    @Override
    protected ResourcePlugin plugin(Map<String, String> settings) {
        return OpenStackStacksProvider.create(
                CloudSettings.of(settings),
                new PollingWait(Duration.ofMinutes(1), Duration.ofMillis(500)));
    }

    @Override
    protected String unknownName() {
        return "00000000-0000-4000-8000-000000000000";
    }

    /** Returns a small template: the plug-in's steps do not depend on the content. */
    @Override
    protected Map<String, @Nullable Object> parameters() {
        return Map.of(
                "template",
                Map.of(
                        "heat_template_version",
                        "2018-08-31",
                        "resources",
                        Map.of("word", Map.of("type", "OS::Heat::RandomString"))));
    }

    @Override
    protected boolean adjustsThings() {
        return false;
    }

    @Override
    protected Map<String, @Nullable Object> changes() {
        return Map.of("on_end", "suspend");
    }

    @Override
    protected Allocation held(Allocation whole) {
        return whole.shared(new Share(1, Map.of(AddressPool.ADDRESSES, 1L)));
    }

    @Override
    protected SortedMap<String, Consumer<Assignment>> pieces() {
        return new TreeMap<>(
                Map.of(
                        "stack",
                        assignment -> byHand(cloud -> delete(new Heat(cloud), assignment))));
    }

    private static void delete(Heat heat, Assignment assignment) {
        String name = OtherStackHolders.stackName(assignment.reservation());
        heat.findByName(name, assignment.project())
                .ifPresent(
                        stack -> {
                            heat.fencedBy(() -> true).delete(stack);
                            untilGone()
                                    .await(
                                            () ->
                                                    heat.stack(name, stack.id())
                                                            .map(Object::toString));
                        });
    }
}
