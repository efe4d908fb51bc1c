package org.leasehold.command.whatif;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.calendar.replay.ReplayCalendar.Expected;
import org.leasehold.command.lease.ReplayedLease;
import org.leasehold.command.lease.ReplayedLease.Stage;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Action;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.Fault;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseCommand.ChangeLease;
import org.leasehold.lease.LeaseCommand.CreateLease;
import org.leasehold.lease.LeaseCommand.CreateLease.Retry;
import org.leasehold.lease.LeaseCommand.DeleteLease;
import org.leasehold.lease.LeaseCommand.EndLease;
import org.leasehold.lease.LeaseCommand.ForceEnd;
import org.leasehold.lease.LeaseCommand.ImportLease;
import org.leasehold.lease.LeaseCommand.ImportLease.Imported;
import org.leasehold.lease.LeaseCommand.RetryCreation;
import org.leasehold.lease.LeaseCommand.RetryEarly;
import org.leasehold.lease.LeaseCommand.RetryLease;
import org.leasehold.lease.LeaseCommand.StartLease;
import org.leasehold.lease.LeaseEvent.LeaseChangeRefused;
import org.leasehold.lease.LeaseEvent.LeaseDeleted;
import org.leasehold.lease.LeaseEvent.LeaseEnded;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.LeaseImported;
import org.leasehold.lease.LeaseEvent.LeaseRefused;
import org.leasehold.lease.LeaseEvent.LeaseRenamed;
import org.leasehold.lease.LeaseEvent.LeaseRequested;
import org.leasehold.lease.LeaseEvent.LeaseRescheduled;
import org.leasehold.lease.LeaseEvent.LeaseRetryScheduled;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationAdded;
import org.leasehold.lease.LeaseEvent.ReservationChanged;
import org.leasehold.lease.LeaseEvent.ReservationFailed;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.lease.LeaseEvent.ReservationRemoved;
import org.leasehold.lease.ReservationChange;
import org.leasehold.lease.ReservationWish;
import org.leasehold.lease.RetryPlan;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ReservationId;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Derives recorded commands from their events. */
final class RecordedCommands {

    private RecordedCommands() {}

    /** Returns the request for a lease; empty if the events have none. */
    static Optional<LeaseCommand> requestOf(CommandEvents turn) {
        return turn.findFirst(LeaseRefused.class)
                .map(RecordedCommands::create)
                .or(() -> turn.findFirst(LeaseRetryScheduled.class).map(RecordedCommands::create))
                .or(() -> turn.findFirst(LeaseRequested.class).map(it -> create(it, turn)));
    }

    private static LeaseCommand create(LeaseRefused refused) {
        return new CreateLease(
                refused.leaseId(),
                refused.projectId(),
                refused.userId(),
                refused.name(),
                refused.period().start(),
                refused.period().end(),
                refused.beforeEnd(),
                refused.reservations(),
                null,
                refused.onFailure());
    }

    private static LeaseCommand create(LeaseRetryScheduled retried) {
        RetryPlan plan = retried.plan();
        return new CreateLease(
                retried.leaseId(),
                retried.projectId(),
                retried.userId(),
                retried.name(),
                retried.period().start(),
                retried.period().end(),
                retried.beforeEnd(),
                retried.reservations(),
                new Retry(plan.attemptsLeft(), plan.interval()),
                retried.onFailure());
    }

    private static LeaseCommand create(LeaseRequested requested, CommandEvents turn) {
        LeaseImported imported = turn.findFirst(LeaseImported.class).orElse(null);
        if (imported == null) {
            return new CreateLease(
                    requested.leaseId(),
                    requested.projectId(),
                    requested.userId(),
                    requested.name(),
                    requested.period().start(),
                    requested.period().end(),
                    requested.beforeEnd(),
                    requested.reservations(),
                    null,
                    requested.onFailure());
        }
        Map<ReservationId, List<Allocation>> granted = granted(turn);
        return new ImportLease(
                requested.leaseId(),
                requested.projectId(),
                requested.userId(),
                requested.name(),
                requested.period(),
                requested.beforeEnd(),
                requested.reservations().stream()
                        .map(wish -> new Imported(wish, slots(granted.get(wish.id()))))
                        .toList(),
                imported.past());
    }

    private static Map<ResourceId, Integer> slots(@Nullable List<Allocation> allocations) {
        Map<ResourceId, Integer> slots = new HashMap<>();
        if (allocations != null) {
            allocations.forEach(each -> slots.put(each.resource(), each.slots()));
        }
        return slots;
    }

    /**
     * Returns the next command to an existing lease; empty if the events have no decision, only a
     * report.
     *
     * @param before the lease before these events
     */
    static Optional<LeaseCommand> nextCommand(
            LeaseId id, ReplayedLease before, CommandEvents turn) {
        if (before.stage() == Stage.RETRYING) {
            return Optional.of(
                    turn.has(LeaseDeleted.class)
                            ? new DeleteLease(id)
                            : attempt(id, before, turn.at()));
        }
        if (RecordedConfirmations.isReduction(turn)) {
            return RecordedConfirmations.find(id, before, turn);
        }
        return change(id, before, turn)
                .or(() -> end(id, before, turn))
                .or(() -> RecordedReplacements.find(id, before, turn))
                .or(() -> start(id, before, turn));
    }

    private static LeaseCommand attempt(LeaseId id, ReplayedLease before, Instant at) {
        return before.nextAttempt().filter(at::isBefore).isPresent()
                ? new RetryEarly(id)
                : new RetryCreation(id);
    }

    private static Optional<LeaseCommand> start(
            LeaseId id, ReplayedLease before, CommandEvents turn) {
        boolean isTried =
                turn.has(LeaseStarting.class)
                        || turn.eventsOf(ReservationFailed.class)
                                .anyMatch(it -> isUnserviceable(it, before));
        if (!isTried) {
            return Optional.empty();
        }
        return switch (before.stage()) {
            case PENDING -> Optional.of(new StartLease(id));
            case FAILED -> Optional.of(new RetryLease(id));
            case ABSENT, RETRYING, RUNNING, ENDING, OVER -> Optional.empty();
        };
    }

    /** Excludes faults of the cloud, which lacked resources while it prepared them. */
    private static boolean isUnserviceable(ReservationFailed failed, ReplayedLease before) {
        return failed.action() == Action.START
                && failed.fault().kind() == Fault.Kind.INSUFFICIENT_RESOURCES
                && !before.isStarting(failed.reservationId());
    }

    private static Optional<LeaseCommand> end(
            LeaseId id, ReplayedLease before, CommandEvents turn) {
        if (before.stage() == Stage.ENDING) {
            return turn.eventsOf(LeaseEnded.class).anyMatch(end -> end.cause() == EndCause.FORCED)
                    ? Optional.of(new ForceEnd(id))
                    : Optional.empty();
        }
        Optional<LeaseCommand> ending =
                turn.findFirst(LeaseEnding.class)
                        .flatMap(
                                it ->
                                        switch (it.cause()) {
                                            case WINDOW_OVER, MISSED ->
                                                    Optional.of(
                                                            new EndLease(id, EndCause.WINDOW_OVER));
                                            case REQUESTED, FORCED ->
                                                    Optional.of(
                                                            new EndLease(id, EndCause.REQUESTED));
                                            case DELETED -> Optional.of(new DeleteLease(id));
                                            // It follows from a start, or from a fault.
                                            case START_FAILED -> Optional.empty();
                                        });
        return ending.or(
                () ->
                        turn.eventsOf(LeaseEnded.class)
                                .filter(end -> end.cause() == EndCause.FORCED)
                                .findFirst()
                                .map(_ -> new ForceEnd(id)));
    }

    private static Optional<LeaseCommand> change(
            LeaseId id, ReplayedLease before, CommandEvents turn) {
        Optional<LeaseCommand> refused =
                turn.findFirst(LeaseChangeRefused.class)
                        .map(
                                it ->
                                        change(
                                                id,
                                                before,
                                                it.period(),
                                                null,
                                                null,
                                                it.reservations(),
                                                absent(before, it.reservations())));
        if (refused.isPresent()) {
            return refused;
        }
        List<ReservationId> removed = removed(before, turn);
        if (removed.isEmpty()
                && !turn.has(LeaseRescheduled.class)
                && !turn.has(ReservationChanged.class)
                && !turn.has(ReservationAdded.class)) {
            return Optional.empty();
        }
        List<ReservationWish> wishes = new ArrayList<>();
        turn.eventsOf(ReservationChanged.class)
                .forEach(
                        it ->
                                before.findRequest(it.reservationId())
                                        .map(wish -> wish.with(it.parameters()))
                                        .ifPresent(wishes::add));
        turn.eventsOf(ReservationAdded.class)
                .map(ReservationAdded::reservation)
                .forEach(wishes::add);
        LeaseRescheduled rescheduled = turn.findFirst(LeaseRescheduled.class).orElse(null);
        return Optional.of(
                change(
                        id,
                        before,
                        rescheduled == null ? null : rescheduled.period(),
                        rescheduled == null ? null : rescheduled.beforeEnd(),
                        turn.findFirst(LeaseRenamed.class).map(LeaseRenamed::name).orElse(null),
                        wishes,
                        removed));
    }

    /** Returns the removed reservations; an operator's retry of a removal removes none. */
    private static List<ReservationId> removed(ReplayedLease before, CommandEvents turn) {
        return turn.eventsOf(ReservationRemoved.class)
                .map(ReservationRemoved::reservationId)
                .filter(before.reservations()::contains)
                .toList();
    }

    /** Returns the reservations that a refused change would have removed. */
    private static List<ReservationId> absent(
            ReplayedLease before, List<ReservationWish> requested) {
        List<ReservationId> kept = requested.stream().map(ReservationWish::id).toList();
        return before.reservations().stream().filter(id -> !kept.contains(id)).toList();
    }

    /**
     * Returns a change of the values that differ. A changed reservation has all its parameters: an
     * equal one may belong to another that differs, as the parts of a stack to its template.
     */
    private static ChangeLease change(
            LeaseId id,
            ReplayedLease before,
            @Nullable LeasePeriod period,
            @Nullable Instant beforeEnd,
            @Nullable String name,
            List<ReservationWish> wishes,
            List<ReservationId> removed) {
        LeasePeriod was = before.period().orElse(null);
        List<ReservationChange> changes = new ArrayList<>();
        List<ReservationWish> further = new ArrayList<>();
        for (ReservationWish wish : wishes) {
            before.findRequest(wish.id())
                    .ifPresentOrElse(
                            old -> {
                                if (!old.equals(wish)) {
                                    changes.add(
                                            new ReservationChange(wish.id(), wish.parameters()));
                                }
                            },
                            () -> further.add(wish));
        }
        return new ChangeLease(
                id,
                name,
                period == null || was == null || period.start().equals(was.start())
                        ? null
                        : period.start(),
                period == null || was == null || period.end().equals(was.end())
                        ? null
                        : period.end(),
                beforeEnd,
                changes,
                further,
                removed);
    }

    /** Returns the recorded result, for the calendar to grant it again. */
    static Expected expected(CommandEvents turn) {
        return new Expected(granted(turn), RecordedReplacements.targets(turn));
    }

    private static Map<ReservationId, List<Allocation>> granted(CommandEvents turn) {
        Map<ReservationId, List<Allocation>> granted = new HashMap<>();
        turn.eventsOf(ReservationGranted.class)
                .forEach(it -> granted.put(it.reservationId(), it.allocations()));
        return granted;
    }
}
