package org.leasehold.command.whatif;

import org.leasehold.command.calendar.PaperCalendar;
import org.leasehold.command.lease.LivedAgain;
import org.leasehold.command.lease.LivedAgain.Stage;
import org.leasehold.history.RecordedEvent;
import org.leasehold.inventory.ResourceEvent;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseCommand.CreateLease;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.lease.LeaseId;
import org.leasehold.lease.LeasePeriod;
import org.leasehold.whatif.Comparison.Outcome;
import org.leasehold.whatif.WhatIf.NoSuchResource;
import org.leasehold.whatif.World;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Replays recorded events in a world that may differ. */
final class Replay {

    /** The age at which claims are deleted, as in the engine. */
    private static final Duration MEMORY = Duration.ofDays(2);

    private final World world;
    private final LivedAgain absent;
    private final PaperCalendar calendar;
    private final Measured measured;
    private final Stock stock;
    private final Differences differences;
    private final Agenda agenda = new Agenda();
    private final Map<LeaseId, Played> leases = new HashMap<>();

    private final Lives lives;
    private Instant tidied = Instant.MIN;
    private int living;

    /** A recorded lease, with all leases that come from its request in this world. */
    private static final class Played {

        private LivedAgain recorded;
        private final List<Life> lives = new ArrayList<>();

        Played(LivedAgain absent) {
            recorded = absent;
        }

        boolean isOver() {
            return recorded.stage() == Stage.OVER
                    && lives.stream()
                            .map(life -> life.now().stage())
                            .allMatch(stage -> stage == Stage.OVER || stage == Stage.ABSENT);
        }
    }

    Replay(World world, LivedAgain absent) {
        this.world = world;
        this.absent = absent;
        this.calendar = new PaperCalendar();
        this.measured = new Measured(new LeasePeriod(world.from(), world.to()));
        this.stock = new Stock(calendar, measured);
        this.differences = new Differences(world.listed());
        this.lives = new Lives(world, calendar, measured, differences, agenda);
        if (!world.isUnchanged()) {
            agenda.add(world.from(), Agenda.Rank.WORLD, _ -> calendar.differs());
        }
        for (int i = 0; i < world.more().size(); i++) {
            int index = i;
            agenda.add(world.more().get(i).from(), Agenda.Rank.WORLD, at -> more(index, at));
        }
        world.lost()
                .forEach(
                        loss ->
                                agenda.add(
                                        loss.from(),
                                        Agenda.Rank.WORLD,
                                        at -> stock.lose(loss, at)));
    }

    private void more(int index, Instant at) {
        if (!stock.add(world.more().get(index), at)) {
            throw new NoSuchResource(index);
        }
    }

    /** Returns the number of leases that are not over, including the added ones. */
    int leases() {
        return living;
    }

    Differences differences() {
        return differences;
    }

    void happenedBefore(ResourceEvent event, Instant at) {
        stock.take(event, at);
    }

    void happenedBefore(LeaseEvent event, Instant at) {
        measured.take(event.leaseId(), List.of(event), at);
    }

    /** Sets the cleaning time at the first decision. */
    void cleaning(Duration cleaning) {
        calendar.cleaning(cleaning);
    }

    /** Sets up a lease at the first decision from all its earlier events. */
    void keep(LeaseId id, List<RecordedEvent> past) {
        calendar.keep(id, past);
        Played played = new Played(absent);
        for (RecordedEvent event : past) {
            played.recorded = played.recorded.after((LeaseEvent) event.event());
        }
        Life life = Life.of(id, 0, absent);
        life.becomes(played.recorded);
        played.lives.add(life);
        if (!played.isOver()) {
            add(id, played);
        }
    }

    private void add(LeaseId id, Played played) {
        leases.put(id, played);
        living += played.lives.size();
    }

    void take(Turn turn) {
        agenda.runUntil(turn.at());
        tidyUp(turn.at());
        switch (turn.events().getFirst()) {
            // Its refusal may use older knowledge than there is here, and has no effect.
            case LeaseEvent first when turn.isRefusal() && turn.at().isBefore(world.from()) ->
                    measured.take(first.leaseId(), turn.ofLease(), turn.at());
            case LeaseEvent first -> take(first.leaseId(), turn);
            case ResourceEvent _ ->
                    turn.all(ResourceEvent.class).forEach(event -> stock.take(event, turn.at()));
            case Object _ -> {
                // The visibility of a property changes no grant.
            }
        }
    }

    /** Ends the replay, and returns the figures at the end of the window. */
    Measured finish() {
        agenda.runUntil(world.to());
        return measured;
    }

    private void tidyUp(Instant now) {
        if (tidied.isBefore(now.minus(MEMORY))) {
            tidied = now;
            calendar.forgetClaimsBefore(now.minus(MEMORY));
        }
    }

    private void take(LeaseId id, Turn turn) {
        turn.first(ReservationGranted.class)
                .ifPresent(granted -> calendar.cleaning(granted.cleaning()));
        Optional<LeaseCommand> first = Asked.first(turn);
        if (first.isPresent()) {
            add(id, ask(id, first.get(), turn));
        }
        Played played = leases.get(id);
        if (played == null) {
            // The lease was over, and is renamed or deleted.
            return;
        }
        if (first.isEmpty()) {
            Optional<LeaseCommand> next = Asked.next(id, played.recorded, turn);
            played.lives.forEach(life -> lives.goOn(life, next, turn));
        }
        for (LeaseEvent event : turn.ofLease()) {
            played.recorded = played.recorded.after(event);
        }
        if (played.isOver()) {
            leases.remove(id);
            living -= played.lives.size();
        }
    }

    private Played ask(LeaseId id, LeaseCommand command, Turn turn) {
        Played played = new Played(absent);
        int askers =
                command instanceof CreateLease && !turn.at().isBefore(world.from())
                        ? Askers.of(id, world.demand())
                        : 1;
        if (askers == 0) {
            differences.add(turn, id, Differences.outcome(turn.ofLease()), Outcome.NOT_ASKED);
        }
        for (int twin = 0; twin < askers; twin++) {
            Life life = Life.of(id, twin, absent);
            played.lives.add(life);
            if (life.isTwin()) {
                life.asks(command).ifPresent(its -> lives.decide(life, its, turn.at()));
            } else {
                lives.decideAgain(life, command, turn);
            }
        }
        return played;
    }
}
