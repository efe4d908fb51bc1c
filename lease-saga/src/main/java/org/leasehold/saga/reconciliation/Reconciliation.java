package org.leasehold.saga.reconciliation;

import org.leasehold.calendar.Tenures;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseId;
import org.leasehold.lease.ReservationId;
import org.leasehold.query.Drift;
import org.leasehold.query.LeaseStatus;
import org.leasehold.query.Leases;
import org.leasehold.query.ReservationView;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Acting.Survey;
import org.leasehold.resource.Plugins;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Looks at the cloud while it changes. Whatever is on its way in or out is therefore no difference:
 * only what was one before the look and still is one after it.
 */
final class Reconciliation implements Drift {

    private final Tenures tenures;
    private final Leases leases;
    private final Plugins plugins;

    Reconciliation(Tenures tenures, Leases leases, Plugins plugins) {
        this.tenures = tenures;
        this.leases = leases;
        this.plugins = plugins;
    }

    @Override
    public Comparison compare() {
        Map<ReservationId, LeaseId> before = tenures.holders();
        Map<ResourceKind, Survey.Seen> seen = new LinkedHashMap<>();
        List<Unseen> unseen = new ArrayList<>();
        for (ResourceKind kind : kinds()) {
            switch (acting(kind).survey()) {
                case Survey.Seen things -> seen.put(kind, things);
                case Survey.Unseen(var fault) -> unseen.add(new Unseen(kind, fault.message()));
            }
        }
        return new Comparison(leftovers(seen, before), missing(seen, before), unseen);
    }

    private List<ResourceKind> kinds() {
        return plugins.kinds().stream().map(ResourceKind::new).toList();
    }

    private Acting acting(ResourceKind kind) {
        return plugins.find(kind).orElseThrow().acting();
    }

    private List<Leftover> leftovers(
            Map<ResourceKind, Survey.Seen> seen, Map<ReservationId, LeaseId> before) {
        Map<ReservationId, LeaseId> after = tenures.holders();
        List<Leftover> leftovers = new ArrayList<>();
        // Two kinds may be one thing to the cloud: each of them sees it then.
        Set<ReservationId> named = new HashSet<>();
        seen.forEach(
                (kind, survey) ->
                        survey.things()
                                .forEach(
                                        (reservation, things) -> {
                                            if (!before.containsKey(reservation)
                                                    && !after.containsKey(reservation)
                                                    && named.add(reservation)) {
                                                leftovers.add(
                                                        new Leftover(kind, reservation, things));
                                            }
                                        }));
        return leftovers;
    }

    private List<Missing> missing(
            Map<ResourceKind, Survey.Seen> seen, Map<ReservationId, LeaseId> before) {
        Set<ReservationId> there = new HashSet<>();
        seen.values().forEach(survey -> there.addAll(survey.things().keySet()));
        List<Missing> missing = new ArrayList<>();
        before.forEach(
                (reservation, lease) -> {
                    if (!there.contains(reservation)) {
                        active(lease, reservation)
                                .filter(seen::containsKey)
                                .map(kind -> new Missing(kind, lease, reservation))
                                .filter(this::isStillMissing)
                                .ifPresent(missing::add);
                    }
                });
        return missing;
    }

    /** A start that ended a moment ago has given what an earlier look did not see. */
    private boolean isStillMissing(Missing suspect) {
        return acting(suspect.kind()).inspect(suspect.reservation()).isEmpty()
                && active(suspect.lease(), suspect.reservation()).isPresent();
    }

    /** The kind of a reservation that has all that it should have; empty for any other. */
    private Optional<ResourceKind> active(LeaseId lease, ReservationId reservation) {
        return leases
                .find(lease, null)
                .filter(found -> found.status() == LeaseStatus.ACTIVE)
                .stream()
                .flatMap(found -> found.reservations().stream())
                .filter(found -> found.id().equals(reservation))
                .filter(found -> found.status() == ReservationView.Status.ACTIVE)
                .map(ReservationView::kind)
                .findFirst();
    }
}
