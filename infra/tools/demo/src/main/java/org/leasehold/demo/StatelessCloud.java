package org.leasehold.demo;

import org.leasehold.demo.WorkloadStep.Trouble;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Planning;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.Survey;
import org.leasehold.resource.floatingip.FloatingIpPlanning;
import org.leasehold.resource.host.HostPlanning;
import org.leasehold.resource.instance.InstancePlanning;
import org.leasehold.resource.volume.VolumePlanning;
import org.leasehold.vocabulary.ReservationId;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A cloud without state: it does everything at once, except for planned faults. The planning halves
 * are the product's.
 */
final class StatelessCloud implements Plugins {

    private static final int FAILURES_WHEN_SLOW = 4;

    private final SortedMap<String, ResourcePlugin> plugins = new TreeMap<>();
    private final Map<ReservationId, Trouble> troubles = new HashMap<>();
    private final Map<ReservationId, Integer> callCounts = new HashMap<>();

    StatelessCloud() {
        add(ResourceKind.PHYSICAL_HOST, new HostPlanning());
        add(ResourceKind.VIRTUAL_INSTANCE, new InstancePlanning());
        add(ResourceKind.FLOATING_IP, new FloatingIpPlanning());
        add(ResourceKind.VOLUME, new VolumePlanning());
    }

    private void add(ResourceKind kind, Planning planning) {
        plugins.put(kind.value(), new Plugin(kind, planning, new Obliging()));
    }

    @Override
    public Optional<ResourcePlugin> find(ResourceKind kind) {
        return Optional.ofNullable(plugins.get(kind.value()));
    }

    @Override
    public SortedSet<String> kinds() {
        return new TreeSet<>(plugins.keySet());
    }

    /** Plans a fault of a reservation's start. */
    void injectTrouble(ReservationId reservation, Trouble trouble) {
        troubles.put(reservation, trouble);
    }

    void clearTrouble(ReservationId reservation) {
        troubles.remove(reservation);
    }

    private record Plugin(ResourceKind kind, Planning planning, Acting acting)
            implements ResourcePlugin {}

    private final class Obliging implements Acting {

        @Override
        public Discovery discover(String name) {
            throw new UnsupportedOperationException("the fleet knows what there is");
        }

        @Override
        public Result enrol(ResourceId id, String name) {
            return new Result.Done();
        }

        @Override
        public Result retire(ResourceId id, String name) {
            return new Result.Done();
        }

        @Override
        public Result onStart(Assignment assignment) {
            ReservationId reservation = assignment.reservation();
            return switch (troubles.getOrDefault(reservation, Trouble.NONE)) {
                case NONE -> new Result.Done();
                case SLOW ->
                        callCounts.merge(reservation, 1, Integer::sum) > FAILURES_WHEN_SLOW
                                ? new Result.Done()
                                : failed(Fault.Kind.RETRYABLE, "The cloud timed out");
                case BROKEN -> failed(Fault.Kind.PERMANENT, "A host does not answer");
            };
        }

        private static Result failed(Fault.Kind kind, String message) {
            return new Result.Failed(new Fault(kind, message));
        }

        @Override
        public Result onAdjust(Assignment assignment, List<Allocation> leaving) {
            return new Result.Done();
        }

        @Override
        public Result beforeEnd(Assignment assignment) {
            return new Result.Done();
        }

        @Override
        public Result onEnd(Assignment assignment) {
            return new Result.Done();
        }

        @Override
        public List<String> inspect(ReservationId reservation) {
            return List.of();
        }

        @Override
        public Survey survey() {
            return new Survey.Seen(Map.of());
        }
    }
}
