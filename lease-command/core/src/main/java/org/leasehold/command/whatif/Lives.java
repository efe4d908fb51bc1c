package org.leasehold.command.whatif;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.calendar.CalendarRequest.LetGo;
import org.leasehold.command.calendar.CalendarRequest.Wanted;
import org.leasehold.command.calendar.PaperCalendar;
import org.leasehold.command.calendar.PaperCalendar.Expected;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseCommand.ChangeLease;
import org.leasehold.lease.LeaseCommand.CreateLease;
import org.leasehold.lease.LeaseCommand.EndLease;
import org.leasehold.lease.LeaseCommand.RetryLease;
import org.leasehold.lease.LeaseCommand.StartLease;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseRefused;
import org.leasehold.lease.LeaseEvent.ReservationAdjusted;
import org.leasehold.lease.LeaseEvent.ReservationReleased;
import org.leasehold.lease.LeasePeriod;
import org.leasehold.lease.ReservationId;
import org.leasehold.whatif.Comparison.Outcome;
import org.leasehold.whatif.World;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Continues leases in another world: as recorded, or on their own. */
final class Lives {

    private final World world;
    private final PaperCalendar calendar;
    private final Measured measured;
    private final Differences differences;
    private final Agenda agenda;

    /** Leases on their own that wait for others to release resources. */
    private final Set<Life> waiting = new LinkedHashSet<>();

    Lives(
            World world,
            PaperCalendar calendar,
            Measured measured,
            Differences differences,
            Agenda agenda) {
        this.world = world;
        this.calendar = calendar;
        this.measured = measured;
        this.differences = differences;
        this.agenda = agenda;
    }

    /** Applies the next turn of a lease: a command, or a report about it. */
    void goOn(Life life, Optional<LeaseCommand> command, Turn turn) {
        if (life.isItsOwn()) {
            command.flatMap(life::asks).ifPresent(its -> decide(life, its, turn.at()));
        } else if (command.isPresent()) {
            decideAgain(life, command.get(), turn);
        } else {
            learn(life, turn);
        }
    }

    /** Applies recorded events of the cloud and those without a decision. */
    private void learn(Life life, Turn turn) {
        for (LeaseEvent event : turn.ofLease()) {
            switch (event) {
                case ReservationReleased it -> letGo(new LetGo(it.reservationId(), Set.of()));
                case ReservationAdjusted it when !it.left().isEmpty() ->
                        letGo(new LetGo(it.reservationId(), Set.copyOf(it.left())));
                case LeaseEvent _ -> {}
            }
        }
        happen(life, turn.ofLease(), turn.at());
    }

    private void letGo(LetGo request) {
        calendar.settle(request, grant -> grant, _ -> true);
    }

    /** Repeats a recorded decision, and compares the results. */
    void decideAgain(Life life, LeaseCommand command, Turn turn) {
        List<LeaseEvent> recorded = turn.ofLease();
        if (isForbidden(life, command, turn.at())) {
            differences.add(turn, life.id(), Differences.outcome(recorded), Outcome.FORBIDDEN);
            life.goesItsOwnWay();
            liveOn(life, turn.at());
            return;
        }
        calendar.expect(Asked.expected(turn));
        List<LeaseEvent> events = life.now().decide(command, calendar, turn.at());
        calendar.expect(Expected.NOTHING);
        switch (Likeness.of(recorded, events)) {
            case SAME -> happen(life, isRefusal(recorded) ? events : recorded, turn.at());
            case SAME_COURSE -> {
                tell(life, command, turn, Outcome.ACCEPTED_ELSEWHERE);
                happen(life, events, turn.at());
            }
            case OTHERWISE -> {
                tell(life, command, turn, Differences.outcome(events));
                life.goesItsOwnWay();
                happen(life, events, turn.at());
                liveOn(life, turn.at());
            }
        }
    }

    /** Detects a refusal: a repeated one has a next start, a recorded one does not. */
    private static boolean isRefusal(List<LeaseEvent> events) {
        return events.stream().anyMatch(LeaseRefused.class::isInstance);
    }

    private void tell(Life life, LeaseCommand command, Turn turn, Outcome changed) {
        boolean isStart = command instanceof StartLease || command instanceof RetryLease;
        differences.add(
                turn,
                life.id(),
                isStart ? Outcome.ACCEPTED : Differences.outcome(turn.ofLease()),
                isStart ? Outcome.STARTED_OTHERWISE : changed);
    }

    /** Decides a command to a lease on its own. */
    void decide(Life life, LeaseCommand command, Instant at) {
        if (isForbidden(life, command, at)) {
            return;
        }
        List<LeaseEvent> events = life.now().decide(command, calendar, at);
        if (!events.isEmpty()) {
            happen(life, events, at);
            liveOn(life, at);
        }
    }

    private boolean isForbidden(Life life, LeaseCommand command, Instant at) {
        Duration longest = world.longest();
        if (longest == null || at.isBefore(world.from())) {
            return false;
        }
        Optional<LeasePeriod> wished = wished(life, command);
        // A reduction is allowed, even if the rest is longer than the limit.
        Duration allowed =
                life.now()
                        .period()
                        .map(LeasePeriod::length)
                        .filter(its -> its.compareTo(longest) > 0)
                        .orElse(longest);
        if (wished.filter(its -> its.length().compareTo(allowed) > 0).isEmpty()) {
            return false;
        }
        List<Wanted> wanted = life.now().wanted(command, at);
        if (!wanted.isEmpty()) {
            measured.forbidden(life.id(), wanted, wished.get(), command instanceof ChangeLease, at);
        }
        return !wanted.isEmpty();
    }

    /** Returns the requested window, if there is one. */
    private static Optional<LeasePeriod> wished(Life life, LeaseCommand command) {
        return switch (command) {
            case CreateLease it -> Optional.of(new LeasePeriod(it.start(), it.end()));
            case ChangeLease it -> life.now().period().flatMap(its -> changed(it, its));
            case LeaseCommand _ -> Optional.empty();
        };
    }

    /** Returns the window; empty if it would end before it starts, after other outcomes. */
    private static Optional<LeasePeriod> changed(ChangeLease change, LeasePeriod before) {
        Instant start = orElse(change.start(), before.start());
        Instant end = orElse(change.end(), before.end());
        return end.isAfter(start) ? Optional.of(new LeasePeriod(start, end)) : Optional.empty();
    }

    private static Instant orElse(@Nullable Instant instant, Instant other) {
        return instant == null ? other : instant;
    }

    private void happen(Life life, List<LeaseEvent> events, Instant at) {
        for (LeaseEvent event : events) {
            life.becomes(life.now().after(event));
        }
        measured.take(life.id(), events, at);
        for (LeaseEvent event : events) {
            switch (event) {
                case ReservationReleased it -> wake(it.reservationId(), at);
                case ReservationAdjusted it -> wake(it.reservationId(), at);
                case LeaseEvent _ -> {}
            }
        }
    }

    /** Retries the start of the leases that wait for this reservation. */
    private void wake(ReservationId released, Instant at) {
        for (Life life : List.copyOf(waiting)) {
            if (life.now().awaited().contains(released)) {
                agenda.add(at, Agenda.Rank.START, now -> start(life, now));
            }
        }
    }

    /** Confirms the cloud's actions, and schedules the next due action. */
    private void liveOn(Life life, Instant at) {
        for (LeaseCommand confirmation : life.now().confirmations(life.id())) {
            happen(life, life.now().decide(confirmation, calendar, at), at);
        }
        if (life.now().awaited().isEmpty()) {
            waiting.remove(life);
        } else {
            waiting.add(life);
        }
        LeasePeriod period = life.now().period().orElse(null);
        if (period == null) {
            return;
        }
        switch (life.now().stage()) {
            case PENDING -> {
                if (life.now().awaited().isEmpty()) {
                    agenda.add(
                            later(period.start(), at), Agenda.Rank.START, now -> start(life, now));
                }
                end(life, later(period.end(), at));
            }
            case RUNNING, FAILED -> end(life, later(period.end(), at));
            case ABSENT, ENDING, OVER -> {}
        }
    }

    private void start(Life life, Instant now) {
        decide(life, new StartLease(life.id()), now);
    }

    private void end(Life life, Instant due) {
        agenda.add(
                due,
                Agenda.Rank.END,
                now -> decide(life, new EndLease(life.id(), EndCause.WINDOW_OVER), now));
    }

    private static Instant later(Instant a, Instant b) {
        return a.isAfter(b) ? a : b;
    }
}
