package org.leasehold.command.whatif;

import org.leasehold.command.calendar.replay.ReplayCalendar;
import org.leasehold.command.lease.ReplayedLease;
import org.leasehold.history.EventLog;
import org.leasehold.history.RecordedEvent;
import org.leasehold.inventory.ResourceEvent;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.resource.Plugins;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.whatif.Comparison;
import org.leasehold.whatif.Comparison.Figures;
import org.leasehold.whatif.Comparison.Found;
import org.leasehold.whatif.WhatIf.TooMuch;
import org.leasehold.whatif.WhatIfScenario;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * The recorded past compared with two replays. One replays the unchanged scenario, to check that
 * everything comes out as recorded; the other replays the changed one.
 */
public final class ScenarioComparison {

    /** The number of listed positions of decisions that were not reproduced. */
    private static final int MAX_LISTED = 100;

    /** A refusal in the window may use knowledge from before its start. */
    private static final Duration LEAD_TIME = Duration.ofHours(1);

    private static final String LEASES = "leases at once";

    private final WhatIfScenario scenario;
    private final Limits limits;
    private final FigureCalculator recorded;
    private final ScenarioInventory recordedInventory;
    private final ScenarioReplay unchangedReplay;
    private final ScenarioReplay changedReplay;
    private final CommandEventGrouper commandGrouper;
    private final PriorLeases priorLeases = new PriorLeases();
    private boolean isStarted;
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
    public ScenarioComparison(WhatIfScenario world, Plugins plugins) {
        this(world, plugins, Limits.NONE);
    }

    ScenarioComparison(WhatIfScenario world, Plugins plugins, Limits limits) {
        this.scenario = world;
        this.limits = limits;
        ReplayedLease absent = ReplayedLease.absent(plugins);
        recorded = new FigureCalculator(new LeasePeriod(world.from(), world.to()));
        recordedInventory = new ScenarioInventory(new ReplayCalendar(), recorded);
        unchangedReplay =
                new ScenarioReplay(
                        WhatIfScenario.ofUnchanged(world.from(), world.to(), MAX_LISTED), absent);
        changedReplay = world.isUnchanged() ? unchangedReplay : new ScenarioReplay(world, absent);
        commandGrouper = new CommandEventGrouper(this::replay);
    }

    /** Returns the time of the first decision. */
    public Instant firstDecisionTime() {
        return scenario.from().minus(LEAD_TIME);
    }

    /**
     * Applies the events before the first decision without another decision; {@link
     * EventLog#readPriorEvents} may select them.
     *
     * @throws TooMuch if they exceed a limit
     */
    public void applyPrior(List<RecordedEvent> next) {
        for (RecordedEvent event : next) {
            count(event);
            applyPrior(event);
        }
    }

    /**
     * Takes the next events, and decides them again.
     *
     * @throws TooMuch if they exceed a limit
     */
    public void replay(List<RecordedEvent> next) {
        startIfNeeded();
        for (RecordedEvent event : next) {
            if (event.decidedAt().isBefore(scenario.to())) {
                count(event);
                commandGrouper.add(event);
            }
        }
    }

    private void count(RecordedEvent event) {
        events++;
        position = event.position();
        checkLimit(events, limits.events(), "events");
    }

    private static void checkLimit(long is, long max, String what) {
        if (is > max) {
            throw new TooMuch(max, what);
        }
    }

    private void applyPrior(RecordedEvent before) {
        Instant at = before.decidedAt();
        switch (before.event()) {
            case LeaseEvent event -> {
                priorLeases.addEvent(before, event);
                checkLimit(priorLeases.leaseCount(), limits.leases(), LEASES);
                recorded.addEvents(event.leaseId(), List.of(event), at);
                replays().forEach(replay -> replay.applyPrior(event, at));
            }
            case ResourceEvent event -> {
                recordedInventory.applyEvent(event, at);
                replays().forEach(replay -> replay.applyPrior(event, at));
            }
            case Object _ -> {}
        }
    }

    private void startIfNeeded() {
        if (!isStarted) {
            isStarted = true;
            replays().forEach(replay -> replay.setCleaningTime(priorLeases.cleaning()));
            priorLeases.drainTo(
                    (lease, past) -> replays().forEach(replay -> replay.restoreLease(lease, past)));
        }
    }

    private Stream<ScenarioReplay> replays() {
        return Stream.of(unchangedReplay, changedReplay).distinct();
    }

    private void replay(CommandEvents turn) {
        switch (turn.events().getFirst()) {
            case LeaseEvent first ->
                    recorded.addEvents(first.leaseId(), turn.leaseEvents(), turn.at());
            case ResourceEvent _ ->
                    turn.eventsOf(ResourceEvent.class)
                            .forEach(event -> recordedInventory.applyEvent(event, turn.at()));
            case Object _ -> {}
        }
        replays().forEach(replay -> replay.replay(turn));
        checkLimit(changedReplay.countUnfinished(), limits.leases(), LEASES);
    }

    /**
     * Ends the replay.
     *
     * @throws TooMuch as {@link #replay} does: some events were still waiting
     */
    public Comparison finish() {
        startIfNeeded();
        commandGrouper.finish();
        Figures sameAgain = unchangedReplay.finish().figures();
        Figures changed =
                changedReplay == unchangedReplay ? sameAgain : changedReplay.finish().figures();
        return new Comparison(
                position,
                events,
                // The next starts of refusals are not recorded.
                recorded.figures().waiting(sameAgain.waiting()),
                changed,
                unchangedReplay.differences().positions(),
                changedReplay == unchangedReplay
                        ? new Found<>(0, List.of())
                        : changedReplay.differences().found());
    }
}
