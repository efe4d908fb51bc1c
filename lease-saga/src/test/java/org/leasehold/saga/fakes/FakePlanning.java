package org.leasehold.saga.fakes;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Demand;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.ReservationWish;
import org.leasehold.resource.Planning;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** A fake that returns whether a trust is needed, and which kinds start first. Plans one host. */
public record FakePlanning(boolean actsAsUser, Set<ResourceKind> startsAfter) implements Planning {

    @Override
    public boolean actsAsUser(Map<String, @Nullable Object> parameters) {
        return actsAsUser;
    }

    @Override
    public Plan plan(Map<String, @Nullable Object> parameters) {
        return new Plan.Planned(
                parameters,
                List.of(
                        new Demand.Whole(
                                ResourceKind.PHYSICAL_HOST,
                                1,
                                1,
                                Requirement.none(),
                                Demand.Selection.FIRST_FIT)));
    }

    @Override
    public Plan change(
            Map<String, @Nullable Object> current,
            Map<String, @Nullable Object> changes,
            boolean running) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Map<String, @Nullable Object> render(ReservationWish wish) {
        throw new UnsupportedOperationException();
    }

    @Override
    public String plural() {
        throw new UnsupportedOperationException();
    }
}
