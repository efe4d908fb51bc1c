package org.leasehold.gateway.v1;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.v1.http.V1Dates;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.LeaseCommand.CreateLease;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.lease.ReservationWish;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.ReservationView;
import org.leasehold.readmodel.lease.ScheduledEventView;
import org.leasehold.resource.Planning.Plan;
import org.leasehold.resource.Plugins;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Makes the views of new and changed leases, and checks their fields. */
final class LeaseDrafts {

    private final Clock clock;
    private final Plugins plugins;

    LeaseDrafts(Clock clock, Plugins plugins) {
        this.clock = clock;
        this.plugins = plugins;
    }

    /** Adds a lease to others, unless a field of it is invalid. */
    Optional<LeaseRejection> create(CreateLease command, Map<LeaseId, LeaseView> leases) {
        Instant minute = V1Dates.truncateToMinute(clock.instant());
        if (command.name().codePointCount(0, command.name().length()) > 80) {
            return Optional.of(new LeaseRejection.InvalidName(command.name().length(), 80));
        }
        if (command.start().isBefore(minute)) {
            return Optional.of(new LeaseRejection.StartInPast(command.start(), clock.instant()));
        }
        if (!command.end().isAfter(command.start())) {
            return Optional.of(new LeaseRejection.EndNotAfterStart(command.start(), command.end()));
        }
        LeasePeriod period = new LeasePeriod(command.start(), command.end());
        if (command.beforeEnd() != null && !period.contains(command.beforeEnd())) {
            return Optional.of(new LeaseRejection.BeforeEndOutside(command.beforeEnd(), period));
        }
        List<ReservationView> reservations = new ArrayList<>();
        Optional<LeaseRejection> unclear = add(command.reservations(), reservations);
        if (unclear.isPresent()) {
            return unclear;
        }
        leases.put(command.leaseId(), view(command, reservations));
        return Optional.empty();
    }

    /** Adds pending reservations to others, unless one of them is invalid. */
    Optional<LeaseRejection> add(List<ReservationWish> wishes, List<ReservationView> reservations) {
        for (int i = 0; i < wishes.size(); i++) {
            var wish = wishes.get(i);
            var plugin = plugins.find(wish.kind());
            if (plugin.isEmpty()) {
                return Optional.of(new LeaseRejection.UnknownKind(wish.kind()));
            }
            switch (plugin.get().planning().plan(wish.parameters())) {
                case Plan.Invalid invalid -> {
                    return Optional.of(
                            new LeaseRejection.InvalidReservation(
                                    i, invalid.field(), invalid.message()));
                }
                case Plan.Planned planned ->
                        reservations.add(
                                new ReservationView(
                                        wish.id(),
                                        wish.kind(),
                                        ReservationView.Status.PENDING,
                                        planned.parameters(),
                                        List.of(),
                                        null,
                                        false,
                                        false,
                                        null,
                                        clock.instant(),
                                        null));
            }
        }
        return Optional.empty();
    }

    private LeaseView view(CreateLease command, List<ReservationView> reservations) {
        List<ScheduledEventView> events = new ArrayList<>();
        events.add(event(ScheduledEventView.Type.START_LEASE, command.start()));
        events.add(event(ScheduledEventView.Type.END_LEASE, command.end()));
        if (command.beforeEnd() != null) {
            events.add(event(ScheduledEventView.Type.BEFORE_END_LEASE, command.beforeEnd()));
        }
        return new LeaseView(
                command.leaseId(),
                command.projectId(),
                command.userId(),
                command.name(),
                LeaseStatus.PENDING,
                new LeasePeriod(command.start(), command.end()),
                command.beforeEnd(),
                null,
                reservations,
                events,
                clock.instant(),
                null,
                1,
                null,
                null);
    }

    private ScheduledEventView event(ScheduledEventView.Type type, Instant time) {
        return new ScheduledEventView(
                UUID.randomUUID(),
                type,
                time,
                ScheduledEventView.Status.UNDONE,
                clock.instant(),
                null);
    }

    /** Returns the grants of all reservations of a new lease. */
    static List<LeaseEvent> grants(CreateLease command) {
        List<LeaseEvent> grants = new ArrayList<>();
        for (var wish : command.reservations()) {
            grants.add(
                    new LeaseEvent.ReservationGranted(
                            command.leaseId(),
                            wish.id(),
                            new LeasePeriod(command.start(), command.end()),
                            Duration.ZERO,
                            List.of(new Allocation(new ResourceId(1), "compute-1", Map.of()))));
        }
        return grants;
    }

    /** Returns a lease that has ended. */
    LeaseView ended(LeaseView lease) {
        return new LeaseView(
                lease.id(),
                lease.projectId(),
                lease.userId(),
                lease.name(),
                LeaseStatus.ENDED,
                lease.period(),
                lease.beforeEnd(),
                lease.explanation(),
                lease.reservations(),
                lease.scheduledEvents(),
                lease.createdAt(),
                clock.instant(),
                lease.version() + 1,
                null,
                null);
    }

    /** Returns a reservation with other parameters. */
    ReservationView with(ReservationView reservation, Map<String, @Nullable Object> parameters) {
        return new ReservationView(
                reservation.id(),
                reservation.kind(),
                reservation.status(),
                parameters,
                reservation.allocations(),
                reservation.cloudIds(),
                reservation.missingResources(),
                reservation.resourcesChanged(),
                null,
                reservation.createdAt(),
                clock.instant());
    }
}
