package org.leasehold.command.whatif;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.calendar.CalendarRequest;
import org.leasehold.command.calendar.CalendarRequest.LetGo;
import org.leasehold.command.calendar.CalendarRequest.Shorten;
import org.leasehold.command.calendar.CalendarRequest.Wanted;
import org.leasehold.command.calendar.replay.ReplayCalendar;
import org.leasehold.command.calendar.replay.ReplayCalendar.Expected;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseCommand.ChangeLease;
import org.leasehold.lease.LeaseCommand.CreateLease;
import org.leasehold.lease.LeaseCommand.EndLease;
import org.leasehold.lease.LeaseCommand.RetryCreation;
import org.leasehold.lease.LeaseCommand.RetryLease;
import org.leasehold.lease.LeaseCommand.StartLease;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.LeaseRefused;
import org.leasehold.lease.LeaseEvent.ReservationAdjusted;
import org.leasehold.lease.LeaseEvent.ReservationReleased;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.whatif.Comparison.Outcome;
import org.leasehold.whatif.WhatIfScenario;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Continues leases in a scenario: as recorded, or on their own. */
final class ScenarioLeases {

    private final WhatIfScenario scenario;
    private final ReplayCalendar calendar;
    private final FigureCalculator figures;
    private final DecisionDifferences differences;
    private final DueActions dueActions;

    /** Leases on their own that wait for others to release resources. */
    private final Set<ScenarioLease> waiting = new LinkedHashSet<>();

    ScenarioLeases(
            WhatIfScenario world,
            ReplayCalendar calendar,
            FigureCalculator measured,
            DecisionDifferences differences,
            DueActions agenda) {
        this.scenario = world;
        this.calendar = calendar;
        this.figures = measured;
        this.differences = differences;
        this.dueActions = agenda;
    }

    /** Applies the next command of a lease, or the next report about it. */
    void applyNext(ScenarioLease life, Optional<LeaseCommand> command, CommandEvents turn) {
        if (life.hasDiverged()) {
            command.flatMap(life::adaptCommand)
                    .ifPresent(adapted -> decide(life, adapted, turn.at()));
        } else if (command.isPresent()) {
            repeatDecision(life, life.inOwnTenure(command.get()), turn);
        } else {
            applyRecorded(life, turn);
        }
    }

    /** Applies recorded events of the cloud and those without a decision. */
    private void applyRecorded(ScenarioLease life, CommandEvents turn) {
        for (LeaseEvent event : turn.leaseEvents()) {
            switch (event) {
                case LeaseEnding it when it.cause() == EndCause.START_FAILED ->
                        change(new Shorten(it.leaseId(), life.state().reservations(), turn.at()));
                case ReservationReleased it -> change(new LetGo(it.reservationId(), Set.of()));
                case ReservationAdjusted it when !it.left().isEmpty() ->
                        change(new LetGo(it.reservationId(), Set.copyOf(it.left())));
                case LeaseEvent _ -> {}
            }
        }
        applyEvents(life, turn.leaseEvents(), turn.at());
    }

    private void change(CalendarRequest.Unconditional request) {
        calendar.executeAndDecide(request, grant -> grant, _ -> true);
    }

    /** Repeats a recorded decision, and compares the results. */
    void repeatDecision(ScenarioLease life, LeaseCommand command, CommandEvents turn) {
        List<LeaseEvent> recorded = turn.leaseEvents();
        if (isForbidden(life, command, turn.at())) {
            differences.add(
                    turn, life.id(), DecisionDifferences.outcome(recorded), Outcome.FORBIDDEN);
            life.diverge();
            scheduleNext(life, turn.at());
            return;
        }
        calendar.setExpected(RecordedCommands.expected(turn));
        List<LeaseEvent> events = life.state().decide(command, calendar, turn.at());
        calendar.setExpected(Expected.NOTHING);
        switch (DecisionSimilarity.of(recorded, events)) {
            case SAME -> applyEvents(life, isRefusal(recorded) ? events : recorded, turn.at());
            case SAME_COURSE -> {
                recordDifference(life, command, turn, Outcome.ACCEPTED_ELSEWHERE);
                applyEvents(life, events, turn.at());
            }
            case OTHERWISE -> {
                recordDifference(life, command, turn, DecisionDifferences.outcome(events));
                life.diverge();
                applyEvents(life, events, turn.at());
                scheduleNext(life, turn.at());
            }
        }
    }

    /** Detects a refusal: a repeated one has a next start, a recorded one does not. */
    private static boolean isRefusal(List<LeaseEvent> events) {
        return events.stream().anyMatch(LeaseRefused.class::isInstance);
    }

    private void recordDifference(
            ScenarioLease life, LeaseCommand command, CommandEvents turn, Outcome changed) {
        boolean isStart = command instanceof StartLease || command instanceof RetryLease;
        differences.add(
                turn,
                life.id(),
                isStart ? Outcome.ACCEPTED : DecisionDifferences.outcome(turn.leaseEvents()),
                isStart ? Outcome.STARTED_OTHERWISE : changed);
    }

    /** Decides a command to a lease on its own. */
    void decide(ScenarioLease life, LeaseCommand command, Instant at) {
        if (isForbidden(life, command, at)) {
            return;
        }
        List<LeaseEvent> events = life.state().decide(command, calendar, at);
        if (!events.isEmpty()) {
            applyEvents(life, events, at);
            scheduleNext(life, at);
        }
    }

    private boolean isForbidden(ScenarioLease life, LeaseCommand command, Instant at) {
        Duration longest = scenario.longest();
        if (longest == null || at.isBefore(scenario.from())) {
            return false;
        }
        Optional<LeasePeriod> wished = requestedPeriod(life, command);
        // A reduction is allowed, even if the rest is longer than the limit.
        Duration allowed =
                life.state()
                        .period()
                        .map(LeasePeriod::length)
                        .filter(length -> length.compareTo(longest) > 0)
                        .orElse(longest);
        if (wished.filter(period -> period.length().compareTo(allowed) > 0).isEmpty()) {
            return false;
        }
        List<Wanted> wanted = life.state().wanted(command, at);
        if (!wanted.isEmpty()) {
            figures.addForbidden(
                    life.id(), wanted, wished.get(), command instanceof ChangeLease, at);
        }
        return !wanted.isEmpty();
    }

    /** Returns the requested window, if there is one. */
    private static Optional<LeasePeriod> requestedPeriod(ScenarioLease life, LeaseCommand command) {
        return switch (command) {
            case CreateLease it -> Optional.of(new LeasePeriod(it.start(), it.end()));
            case ChangeLease it ->
                    life.state().period().flatMap(period -> changedPeriod(it, period));
            case LeaseCommand _ -> Optional.empty();
        };
    }

    /** Returns the window; empty if it would end before it starts, after other outcomes. */
    private static Optional<LeasePeriod> changedPeriod(ChangeLease change, LeasePeriod before) {
        Instant start = orElse(change.start(), before.start());
        Instant end = orElse(change.end(), before.end());
        return end.isAfter(start) ? Optional.of(new LeasePeriod(start, end)) : Optional.empty();
    }

    private static Instant orElse(@Nullable Instant instant, Instant other) {
        return instant == null ? other : instant;
    }

    private void applyEvents(ScenarioLease life, List<LeaseEvent> events, Instant at) {
        for (LeaseEvent event : events) {
            life.setState(life.state().after(event));
        }
        figures.addEvents(life.id(), events, at);
        for (LeaseEvent event : events) {
            switch (event) {
                case ReservationReleased it -> retryWaiting(it.reservationId(), at);
                case ReservationAdjusted it -> retryWaiting(it.reservationId(), at);
                case LeaseEvent _ -> {}
            }
        }
    }

    /** Retries the start of the leases that wait for this reservation. */
    private void retryWaiting(ReservationId released, Instant at) {
        for (ScenarioLease life : List.copyOf(waiting)) {
            if (life.state().awaited().contains(released)) {
                dueActions.add(at, DueActions.Rank.START, now -> start(life, now));
            }
        }
    }

    /** Confirms the cloud's actions, and schedules the next due action. */
    private void scheduleNext(ScenarioLease life, Instant at) {
        List<LeaseCommand> confirmations = life.state().confirmations(life.id());
        while (!confirmations.isEmpty()) {
            for (LeaseCommand confirmation : confirmations) {
                applyEvents(life, life.state().decide(confirmation, calendar, at), at);
            }
            // Some reservations start after others.
            confirmations = life.state().confirmations(life.id());
        }
        if (life.state().awaited().isEmpty()) {
            waiting.remove(life);
        } else {
            waiting.add(life);
        }
        LeasePeriod period = life.state().period().orElse(null);
        if (period == null) {
            return;
        }
        switch (life.state().stage()) {
            case PENDING -> {
                if (life.state().awaited().isEmpty()) {
                    dueActions.add(
                            later(period.start(), at),
                            DueActions.Rank.START,
                            now -> start(life, now));
                }
                scheduleEnd(life, later(period.end(), at));
            }
            case RETRYING ->
                    life.state()
                            .nextAttempt()
                            .ifPresent(
                                    due ->
                                            dueActions.add(
                                                    due,
                                                    DueActions.Rank.START,
                                                    now -> retry(life, now)));
            case RUNNING, FAILED -> scheduleEnd(life, later(period.end(), at));
            case ABSENT, ENDING, OVER -> {}
        }
    }

    private void start(ScenarioLease life, Instant now) {
        decide(life, new StartLease(life.id()), now);
    }

    private void retry(ScenarioLease life, Instant now) {
        decide(life, new RetryCreation(life.id()), now);
    }

    private void scheduleEnd(ScenarioLease life, Instant due) {
        dueActions.add(
                due,
                DueActions.Rank.END,
                now -> decide(life, new EndLease(life.id(), EndCause.WINDOW_OVER), now));
    }

    private static Instant later(Instant a, Instant b) {
        return a.isAfter(b) ? a : b;
    }
}
