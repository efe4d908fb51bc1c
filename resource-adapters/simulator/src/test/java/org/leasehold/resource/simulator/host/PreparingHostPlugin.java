package org.leasehold.resource.simulator.host;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.ReservationWish;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Planning;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.host.HostPlanning;

import java.util.Map;

/** A plug-in for hosts in memory; unlike others it has work before each start. */
record PreparingHostPlugin(Acting acting) implements ResourcePlugin {

    private static final Planning PLANNING = new Prepared(new HostPlanning());

    @Override
    public ResourceKind kind() {
        return ResourceKind.PHYSICAL_HOST;
    }

    @Override
    public Planning planning() {
        return PLANNING;
    }

    private record Prepared(Planning planning) implements Planning {

        @Override
        public boolean preparesStart(Map<String, @Nullable Object> parameters) {
            return true;
        }

        @Override
        public boolean replacesFailedResources() {
            return planning.replacesFailedResources();
        }

        @Override
        public Plan plan(Map<String, @Nullable Object> parameters) {
            return planning.plan(parameters);
        }

        @Override
        public Plan change(
                Map<String, @Nullable Object> current,
                Map<String, @Nullable Object> changes,
                boolean running) {
            return planning.change(current, changes, running);
        }

        @Override
        public Map<String, @Nullable Object> render(ReservationWish wish) {
            return planning.render(wish);
        }

        @Override
        public String plural() {
            return planning.plural();
        }
    }
}
