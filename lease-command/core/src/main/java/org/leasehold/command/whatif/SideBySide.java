package org.leasehold.command.whatif;

import org.leasehold.command.calendar.PaperCalendar;
import org.leasehold.command.lease.LivedAgain;
import org.leasehold.history.RecordedEvent;
import org.leasehold.inventory.ResourceEvent;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeasePeriod;
import org.leasehold.resource.Plugins;
import org.leasehold.whatif.Comparison;
import org.leasehold.whatif.Comparison.Found;
import org.leasehold.whatif.World;

import java.util.List;

/**
 * The past as it was recorded, and lived through once more in two worlds: the one that was, to see
 * whether all comes out as it did, and the other one.
 */
public final class SideBySide {

    /** As many positions are told of what did not come out as it did. */
    private static final int LISTED = 100;

    private final World world;
    private final Measured recorded;
    private final Stock recordedStock;
    private final Replay same;
    private final Replay other;
    private final Turns turns;
    private long events;
    private long position;

    /** Knows of nothing that happened yet. */
    public SideBySide(World world, Plugins plugins) {
        this.world = world;
        LivedAgain absent = LivedAgain.absent(plugins);
        recorded = new Measured(new LeasePeriod(world.from(), world.to()));
        recordedStock = new Stock(new PaperCalendar(), recorded);
        same = new Replay(World.asItWas(world.from(), world.to(), LISTED), absent);
        other = world.isUnchanged() ? same : new Replay(world, absent);
        turns = new Turns(this::take);
    }

    /** Takes in what happened next. */
    public void take(List<RecordedEvent> next) {
        List<RecordedEvent> ofWindow =
                next.stream().filter(event -> event.decidedAt().isBefore(world.to())).toList();
        events += ofWindow.size();
        if (!ofWindow.isEmpty()) {
            position = ofWindow.getLast().position();
        }
        turns.take(ofWindow);
    }

    /** How much was taken in. */
    public long events() {
        return events;
    }

    private void take(Turn turn) {
        switch (turn.events().getFirst()) {
            case LeaseEvent first -> recorded.take(first.leaseId(), turn.ofLease(), turn.at());
            case ResourceEvent _ ->
                    turn.all(ResourceEvent.class)
                            .forEach(event -> recordedStock.take(event, turn.at()));
            case Object _ -> {}
        }
        same.take(turn);
        if (other != same) {
            other.take(turn);
        }
    }

    /** There is nothing more. */
    public Comparison finish() {
        turns.finish();
        Measured sameAgain = same.finish();
        Measured changed = other == same ? sameAgain : other.finish();
        return new Comparison(
                position,
                events,
                recorded.figures(),
                changed.figures(),
                same.differences().positions(),
                other == same ? new Found<>(0, List.of()) : other.differences().found());
    }
}
