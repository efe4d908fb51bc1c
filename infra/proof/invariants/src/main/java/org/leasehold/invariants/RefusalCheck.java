package org.leasehold.invariants;

import org.leasehold.calendar.Demand;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.ReservationWish;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ReservationId;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Checks if a refusal was justified: the free resources would not have sufficed. */
public final class RefusalCheck {

    private final ExpectedState state;
    private final Duration cleaning;

    public RefusalCheck(ExpectedState book, Duration cleaning) {
        this.state = book;
        this.cleaning = cleaning;
    }

    /**
     * Judges a refusal by the present {@link ExpectedState}.
     *
     * @param wishes the requested reservations; a change may exchange all that the lease has
     */
    public boolean isJustified(
            LeaseId id, LeasePeriod period, List<ReservationWish> wishes, Instant decided) {
        Window window = Window.of(period).clipStart(decided).extendedBy(cleaning);
        Set<ReservationId> own =
                wishes.stream().map(ReservationWish::id).collect(Collectors.toSet());
        ExpectedLeaseState lease = state.leases().get(id);
        boolean runs =
                lease != null
                        && lease.reservations.stream()
                                .anyMatch(each -> !state.holdings().heldBy(each).isEmpty());
        List<Seeker> seekers = new ArrayList<>();
        for (ReservationWish wish : wishes) {
            Demand demand = ExpectedReservationState.demand(wish.parameters());
            ExpectedReservationState present = state.find(wish.id());
            if (present != null && !state.holdings().heldBy(present.id).isEmpty()) {
                seekers.add(createRunningSeeker(present, demand.kind(), demand, window, own));
            } else {
                Set<ResourceId> options = findFreeResources(demand.kind(), demand, window, own);
                if (present == null && runs) {
                    // A reservation that joins a running lease uses its resources at once.
                    options.removeIf(option -> state.holdings().holder(option) != null);
                }
                seekers.add(new Seeker(demand.minimum(), Set.of(), options, false));
            }
        }
        return seekers.stream().anyMatch(Seeker::lacksWhatItHas) || !canAllBeServed(seekers);
    }

    /** Returns a seeker. A project's servers cannot move: their hosts stay, or it is a refusal. */
    private Seeker createRunningSeeker(
            ExpectedReservationState present,
            ResourceKind kind,
            Demand demand,
            Window window,
            Set<ReservationId> own) {
        Set<ResourceId> staying = new TreeSet<>(present.resources);
        staying.removeIf(id -> !canKeep(present, id, demand, window, own));
        boolean sameWish = demand.equals(present.demand());
        int has = present.resources.size();
        int wanted = sameWish ? has : Math.min(has, demand.maximum());
        Set<ResourceId> joining = findFreeResources(kind, demand, window, own);
        joining.removeAll(present.resources);
        joining.removeIf(id -> state.holdings().holder(id) != null);
        return new Seeker(
                Math.max(0, demand.minimum() - staying.size()),
                staying,
                joining,
                staying.size() < wanted);
    }

    private boolean meetsDemand(ResourceId id, Demand demand) {
        ExpectedResourceState resource = state.resources().get(id);
        return resource != null && resource.meets(demand.requirement());
    }

    private boolean canKeep(
            ExpectedReservationState present,
            ResourceId id,
            Demand demand,
            Window window,
            Set<ReservationId> own) {
        Window promised = state.promises().ofResource(id).get(present.id);
        ExpectedResourceState resource = state.resources().get(id);
        return state.promises().isFree(id, window, own)
                && ((resource != null && resource.isEnabled() && meetsDemand(id, demand))
                        || (promised != null && promised.contains(window)));
    }

    private Set<ResourceId> findFreeResources(
            ResourceKind kind, Demand demand, Window window, Set<ReservationId> own) {
        Set<ResourceId> free = new TreeSet<>();
        state.resources()
                .forEach(
                        (id, resource) -> {
                            if (resource.isEnabled()
                                    && resource.kind().equals(kind)
                                    && meetsDemand(id, demand)
                                    && state.promises().isFree(id, window, own)) {
                                free.add(id);
                            }
                        });
        return free;
    }

    /** Returns true if all get distinct options as needed: a matching, by augmenting paths. */
    private static boolean canAllBeServed(List<Seeker> seekers) {
        Set<ResourceId> fixed = new HashSet<>();
        seekers.forEach(seeker -> fixed.addAll(seeker.staying()));
        Map<ResourceId, Integer> takenBy = new HashMap<>();
        for (int i = 0; i < seekers.size(); i++) {
            for (int n = 0; n < seekers.get(i).needed(); n++) {
                if (!augment(seekers, i, fixed, takenBy, new HashSet<>())) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean augment(
            List<Seeker> seekers,
            int seeker,
            Set<ResourceId> fixed,
            Map<ResourceId, Integer> takenBy,
            Set<ResourceId> visited) {
        for (ResourceId option : seekers.get(seeker).options()) {
            if (fixed.contains(option) || !visited.add(option)) {
                continue;
            }
            boolean free =
                    !takenBy.containsKey(option)
                            || (Objects.requireNonNull(takenBy.get(option)) != seeker
                                    && augment(
                                            seekers,
                                            Objects.requireNonNull(takenBy.get(option)),
                                            fixed,
                                            takenBy,
                                            visited));
            if (free) {
                takenBy.put(option, seeker);
                return true;
            }
        }
        return false;
    }

    /**
     * A reservation that needs resources.
     *
     * @param needed the number of options that it needs
     * @param lacksWhatItHas true if it cannot keep the resources on which it runs
     */
    private record Seeker(
            int needed, Set<ResourceId> staying, Set<ResourceId> options, boolean lacksWhatItHas) {}
}
