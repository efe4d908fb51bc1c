package org.leasehold.saga.reconciliation;

import org.leasehold.calendar.CurrentTenures;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.readmodel.lease.ReservationView;
import org.leasehold.readmodel.operation.Drift;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.Survey;
import org.leasehold.resource.identity.Trusts.Given;
import org.leasehold.saga.trust.OrphanedTrusts;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ReservationId;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The comparison of the engine with the cloud, which changes meanwhile. Resources in transit are no
 * difference: only a difference before and after the reading counts.
 */
final class Reconciliation implements Drift {

    /** A kind without resources, for the list of the unseen. */
    private static final ResourceKind TRUST_KIND = new ResourceKind("trust");

    private final CurrentTenures tenures;
    private final Leases leases;
    private final Plugins plugins;
    private final OrphanedTrusts trusts;

    private final StrayResourceFinder strays;
    private final AbandonedLeases abandoned;

    Reconciliation(
            CurrentTenures tenures,
            Leases leases,
            Plugins plugins,
            OrphanedTrusts trusts,
            StrayResourceFinder strays,
            AbandonedLeases abandoned) {
        this.tenures = tenures;
        this.leases = leases;
        this.plugins = plugins;
        this.trusts = trusts;
        this.strays = strays;
        this.abandoned = abandoned;
    }

    @Override
    public Comparison compare() {
        Map<ReservationId, LeaseId> before = tenures.holders();
        Map<ResourceKind, Survey.Seen> seen = new LinkedHashMap<>();
        List<Unseen> unseen = new ArrayList<>();
        for (ResourceKind kind : kinds()) {
            switch (acting(kind).survey()) {
                case Survey.Seen found -> seen.put(kind, found);
                case Survey.Unseen(var fault) -> unseen.add(new Unseen(kind, fault.message()));
            }
        }
        List<Leftover> leftovers = leftovers(seen, before);
        List<Missing> missing = missing(seen, before, unseen);
        List<Squatter> squatters = squatters(seen, before);
        List<Orphan> orphans = orphans(unseen);
        return new Comparison(
                leftovers,
                missing,
                squatters,
                strays.find(kinds()),
                orphans,
                abandoned.find(unseen),
                unseen);
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
        // Two kinds may be one object to the cloud: each of them sees it then.
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

    private List<Squatter> squatters(
            Map<ResourceKind, Survey.Seen> seen, Map<ReservationId, LeaseId> before) {
        Map<ReservationId, LeaseId> after = tenures.holders();
        List<Squatter> squatters = new ArrayList<>();
        seen.forEach(
                (kind, survey) ->
                        survey.squatters().stream()
                                .map(found -> squatter(kind, found))
                                .filter(found -> !isInHeldSlot(found, before))
                                .filter(found -> !isInHeldSlot(found, after))
                                .forEach(squatters::add));
        return squatters;
    }

    /** Returns whether it has a slot of a reservation that still holds one. */
    private static boolean isInHeldSlot(Squatter found, Map<ReservationId, LeaseId> holders) {
        ReservationId reservation = found.reservation();
        return reservation != null && holders.containsKey(reservation);
    }

    private static Squatter squatter(ResourceKind kind, Survey.Squatter found) {
        return new Squatter(
                kind,
                found.id(),
                found.name(),
                found.resource(),
                found.project(),
                found.reservation());
    }

    private List<Orphan> orphans(List<Unseen> unseen) {
        return switch (trusts.find()) {
            case Given.Known(var orphans) ->
                    orphans.stream()
                            .map(each -> new Orphan(each.id(), each.user(), each.project()))
                            .toList();
            case Given.Unknown(var fault) -> {
                unseen.add(new Unseen(TRUST_KIND, fault.message()));
                yield List.of();
            }
        };
    }

    private List<Missing> missing(
            Map<ResourceKind, Survey.Seen> seen,
            Map<ReservationId, LeaseId> before,
            List<Unseen> unseen) {
        List<Missing> missing = new ArrayList<>();
        findSuspects(seen, before)
                .forEach(
                        (kind, suspects) -> {
                            // A start that just ended has given what the first survey missed.
                            switch (acting(kind).survey()) {
                                case Survey.Seen(var things, _) ->
                                        suspects.stream()
                                                .filter(each -> isMissing(each, things))
                                                .forEach(missing::add);
                                case Survey.Unseen(var fault) ->
                                        unseen.add(new Unseen(kind, fault.message()));
                            }
                        });
        return missing;
    }

    /** Returns, by kind, the reservations that the first survey did not see. */
    private Map<ResourceKind, List<Missing>> findSuspects(
            Map<ResourceKind, Survey.Seen> seen, Map<ReservationId, LeaseId> before) {
        Set<ReservationId> there = new HashSet<>();
        seen.values().forEach(survey -> there.addAll(survey.things().keySet()));
        Map<ResourceKind, List<Missing>> suspects = new LinkedHashMap<>();
        before.forEach(
                (reservation, lease) -> {
                    if (!there.contains(reservation)) {
                        activeKind(lease, reservation)
                                .filter(seen::containsKey)
                                .map(kind -> new Missing(kind, lease, reservation))
                                .ifPresent(
                                        found ->
                                                suspects.computeIfAbsent(
                                                                found.kind(),
                                                                _ -> new ArrayList<>())
                                                        .add(found));
                    }
                });
        return suspects;
    }

    private boolean isMissing(Missing suspect, Map<ReservationId, List<String>> things) {
        return !things.containsKey(suspect.reservation())
                && activeKind(suspect.lease(), suspect.reservation()).isPresent();
    }

    /** Returns the kind of a reservation that should have everything; empty for any other. */
    private Optional<ResourceKind> activeKind(LeaseId lease, ReservationId reservation) {
        return leases.find(lease, null)
                .filter(found -> found.status() == LeaseStatus.ACTIVE)
                .flatMap(found -> found.reservation(reservation))
                .filter(found -> found.status() == ReservationView.Status.ACTIVE)
                .filter(this::hasNamedCloudObjects)
                .map(ReservationView::kind);
    }

    private boolean hasNamedCloudObjects(ReservationView reservation) {
        return plugins.find(reservation.kind())
                .map(plugin -> plugin.planning().hasNamedCloudObjects(reservation.parameters()))
                .orElse(true);
    }
}
