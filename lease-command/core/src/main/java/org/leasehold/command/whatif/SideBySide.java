package org.leasehold.command.whatif;

import org.leasehold.command.calendar.PaperCalendar;
import org.leasehold.command.lease.LivedAgain;
import org.leasehold.history.EventLog;
import org.leasehold.history.RecordedEvent;
import org.leasehold.inventory.ResourceEvent;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeasePeriod;
import org.leasehold.resource.Plugins;
import org.leasehold.whatif.Comparison;
import org.leasehold.whatif.Comparison.Figures;
import org.leasehold.whatif.Comparison.Found;
import org.leasehold.whatif.WhatIf.TooMuch;
import org.leasehold.whatif.World;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * The recorded past beside two replays. One replays the same world, to check that everything comes
 * out as recorded; the other replays the changed world.
 */
public final class SideBySide {

    /** The number of listed positions of decisions that were not reproduced. */
    private static final int LISTED = 100;

    /** A refusal in the window may use knowledge from before its start. */
    private static final Duration AHEAD = Duration.ofHours(1);

    private static final String LEASES = "leases at once";

    private final World world;
    private final Limits limits;
    private final Measured recorded;
    private final Stock recordedStock;
    private final Replay same;
    private final Replay other;
    private final Turns turns;
    private final Prologue prologue = new Prologue();
    private boolean begun;
    private long events;
    private long position;

    /**
     * The limits of a replay.
     *
     * @param leases the number of leases that are not over, at once
     */
    record Limits(long events, long leases) {

        static final Limits NONE = new Limits(Long.MAX_VALUE, Long.MAX_VALUE);
    }

    /** Creates the comparison without any events. */
    public SideBySide(World world, Plugins plugins) {
        this(world, plugins, Limits.NONE);
    }

    SideBySide(World world, Plugins plugins, Limits limits) {
        this.world = world;
        this.limits = limits;
        LivedAgain absent = LivedAgain.absent(plugins);
        recorded = new Measured(new LeasePeriod(world.from(), world.to()));
        recordedStock = new Stock(new PaperCalendar(), recorded);
        same = new Replay(World.asItWas(world.from(), world.to(), LISTED), absent);
        other = world.isUnchanged() ? same : new Replay(world, absent);
        turns = new Turns(this::take);
    }

    /** Returns the time of the first decision. */
    public Instant begins() {
        return world.from().minus(AHEAD);
    }

    /**
     * Applies the events before the first decision without another decision; {@link
     * EventLog#prologue} may select them.
     *
     * @throws TooMuch if they exceed a limit
     */
    public void happenedBefore(List<RecordedEvent> next) {
        for (RecordedEvent event : next) {
            count(event);
            happenedBefore(event);
        }
    }

    /**
     * Takes the next events, and decides them again.
     *
     * @throws TooMuch if they exceed a limit
     */
    public void take(List<RecordedEvent> next) {
        begin();
        for (RecordedEvent event : next) {
            if (event.decidedAt().isBefore(world.to())) {
                count(event);
                turns.take(event);
            }
        }
    }

    private void count(RecordedEvent event) {
        events++;
        position = event.position();
        require(events, limits.events(), "events");
    }

    private static void require(long is, long most, String what) {
        if (is > most) {
            throw new TooMuch(most, what);
        }
    }

    private void happenedBefore(RecordedEvent before) {
        Instant at = before.decidedAt();
        switch (before.event()) {
            case LeaseEvent event -> {
                prologue.take(before, event);
                require(prologue.leases(), limits.leases(), LEASES);
                recorded.take(event.leaseId(), List.of(event), at);
                worlds().forEach(replay -> replay.happenedBefore(event, at));
            }
            case ResourceEvent event -> {
                recordedStock.take(event, at);
                worlds().forEach(replay -> replay.happenedBefore(event, at));
            }
            case Object _ -> {}
        }
    }

    private void begin() {
        if (!begun) {
            begun = true;
            worlds().forEach(replay -> replay.cleaning(prologue.cleaning()));
            prologue.tell((lease, past) -> worlds().forEach(replay -> replay.keep(lease, past)));
        }
    }

    private Stream<Replay> worlds() {
        return Stream.of(same, other).distinct();
    }

    private void take(Turn turn) {
        switch (turn.events().getFirst()) {
            case LeaseEvent first -> recorded.take(first.leaseId(), turn.ofLease(), turn.at());
            case ResourceEvent _ ->
                    turn.all(ResourceEvent.class)
                            .forEach(event -> recordedStock.take(event, turn.at()));
            case Object _ -> {}
        }
        worlds().forEach(replay -> replay.take(turn));
        require(other.leases(), limits.leases(), LEASES);
    }

    /**
     * Ends the replay.
     *
     * @throws TooMuch as {@link #take} does: some events were still waiting
     */
    public Comparison finish() {
        begin();
        turns.finish();
        Figures sameAgain = same.finish().figures();
        Figures changed = other == same ? sameAgain : other.finish().figures();
        return new Comparison(
                position,
                events,
                // The next starts of refusals are not recorded.
                recorded.figures().waiting(sameAgain.waiting()),
                changed,
                same.differences().positions(),
                other == same ? new Found<>(0, List.of()) : other.differences().found());
    }
}
