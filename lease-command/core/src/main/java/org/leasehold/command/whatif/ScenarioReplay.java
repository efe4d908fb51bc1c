package org.leasehold.command.whatif;

import org.leasehold.command.calendar.replay.ReplayCalendar;
import org.leasehold.command.lease.ReplayedLease;
import org.leasehold.command.lease.ReplayedLease.Stage;
import org.leasehold.history.RecordedEvent;
import org.leasehold.inventory.ResourceEvent;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseCommand.CreateLease;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.whatif.Comparison.Outcome;
import org.leasehold.whatif.WhatIf.NoSuchResource;
import org.leasehold.whatif.WhatIfScenario;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Replays recorded events in a scenario that may differ from the past. */
final class ScenarioReplay {

    /** The age at which claims are deleted, as in the engine. */
    private static final Duration CLAIM_RETENTION = Duration.ofDays(2);

    private final WhatIfScenario scenario;
    private final ReplayedLease absent;
    private final ReplayCalendar calendar;
    private final FigureCalculator figures;
    private final ScenarioInventory inventory;
    private final DecisionDifferences differences;
    private final DueActions dueActions = new DueActions();
    private final Map<LeaseId, Played> leases = new HashMap<>();

    private final ScenarioLeases scenarioLeases;
    private Instant lastCleanup = Instant.MIN;
    private int unfinishedCount;

    /** A recorded lease, with all leases that come from its request in this scenario. */
    private static final class Played {

        private ReplayedLease recorded;
        private final List<ScenarioLease> scenarioLeases = new ArrayList<>();

        Played(ReplayedLease absent) {
            recorded = absent;
        }

        boolean isOver() {
            return recorded.stage() == Stage.OVER
                    && scenarioLeases.stream()
                            .map(life -> life.state().stage())
                            .allMatch(stage -> stage == Stage.OVER || stage == Stage.ABSENT);
        }
    }

    ScenarioReplay(WhatIfScenario world, ReplayedLease absent) {
        this.scenario = world;
        this.absent = absent;
        this.calendar = new ReplayCalendar();
        this.figures = new FigureCalculator(new LeasePeriod(world.from(), world.to()));
        this.inventory = new ScenarioInventory(calendar, figures);
        this.differences = new DecisionDifferences(world.listed());
        this.scenarioLeases = new ScenarioLeases(world, calendar, figures, differences, dueActions);
        if (!world.isUnchanged()) {
            dueActions.add(world.from(), DueActions.Rank.WORLD, _ -> calendar.markChanged());
        }
        for (int i = 0; i < world.more().size(); i++) {
            int index = i;
            dueActions.add(
                    world.more().get(i).from(),
                    DueActions.Rank.WORLD,
                    at -> addResources(index, at));
        }
        world.lost()
                .forEach(
                        loss ->
                                dueActions.add(
                                        loss.from(),
                                        DueActions.Rank.WORLD,
                                        at -> inventory.addLoss(loss, at)));
    }

    private void addResources(int index, Instant at) {
        if (!inventory.add(scenario.more().get(index), at)) {
            throw new NoSuchResource(index);
        }
    }

    /** Returns the number of leases that are not over, including the added ones. */
    int countUnfinished() {
        return unfinishedCount;
    }

    DecisionDifferences differences() {
        return differences;
    }

    void applyPrior(ResourceEvent event, Instant at) {
        inventory.applyEvent(event, at);
    }

    void applyPrior(LeaseEvent event, Instant at) {
        figures.addEvents(event.leaseId(), List.of(event), at);
    }

    /** Sets the cleaning time at the first decision. */
    void setCleaningTime(Duration cleaning) {
        calendar.setCleaningTime(cleaning);
    }

    /** Sets up a lease at the first decision from all its earlier events. */
    void restoreLease(LeaseId id, List<RecordedEvent> past) {
        calendar.addLease(id, past);
        Played played = new Played(absent);
        for (RecordedEvent event : past) {
            played.recorded = played.recorded.after((LeaseEvent) event.event());
        }
        ScenarioLease life = ScenarioLease.of(id, 0, absent);
        life.setState(played.recorded);
        played.scenarioLeases.add(life);
        if (!played.isOver()) {
            add(id, played);
        }
    }

    private void add(LeaseId id, Played played) {
        leases.put(id, played);
        unfinishedCount += played.scenarioLeases.size();
    }

    void replay(CommandEvents turn) {
        dueActions.runUntil(turn.at());
        deleteOldClaims(turn.at());
        switch (turn.events().getFirst()) {
            // Its refusal may use older knowledge than there is here, and has no effect.
            case LeaseEvent first
                    when turn.isRefusal()
                            && turn.at().isBefore(scenario.from())
                            && !leases.containsKey(first.leaseId()) ->
                    figures.addEvents(first.leaseId(), turn.leaseEvents(), turn.at());
            case LeaseEvent first -> replay(first.leaseId(), turn);
            case ResourceEvent _ ->
                    turn.eventsOf(ResourceEvent.class)
                            .forEach(event -> inventory.applyEvent(event, turn.at()));
            case Object _ -> {
                // The visibility of a property changes no grant.
            }
        }
    }

    /** Ends the replay, and returns the figures at the end of the window. */
    FigureCalculator finish() {
        dueActions.runUntil(scenario.to());
        return figures;
    }

    private void deleteOldClaims(Instant now) {
        if (lastCleanup.isBefore(now.minus(CLAIM_RETENTION))) {
            lastCleanup = now;
            calendar.deleteClaimsBefore(now.minus(CLAIM_RETENTION));
        }
    }

    private void replay(LeaseId id, CommandEvents turn) {
        turn.findFirst(ReservationGranted.class)
                .ifPresent(granted -> calendar.setCleaningTime(granted.cleaning()));
        Optional<LeaseCommand> first =
                leases.containsKey(id) ? Optional.empty() : RecordedCommands.requestOf(turn);
        if (first.isPresent()) {
            add(id, replayRequest(id, first.get(), turn));
        }
        Played played = leases.get(id);
        if (played == null) {
            // The lease was over, and is renamed or deleted.
            return;
        }
        if (first.isEmpty()) {
            Optional<LeaseCommand> next =
                    isFollowed(turn)
                            ? Optional.empty()
                            : RecordedCommands.nextCommand(id, played.recorded, turn);
            played.scenarioLeases.forEach(life -> scenarioLeases.applyNext(life, next, turn));
        }
        for (LeaseEvent event : turn.leaseEvents()) {
            played.recorded = played.recorded.after(event);
        }
        if (played.isOver()) {
            leases.remove(id);
            unfinishedCount -= played.scenarioLeases.size();
        }
    }

    /** Returns true for a refusal that may use older knowledge than there is here. */
    private boolean isFollowed(CommandEvents turn) {
        return turn.isRequestRefusal() && turn.at().isBefore(scenario.from());
    }

    private Played replayRequest(LeaseId id, LeaseCommand command, CommandEvents turn) {
        Played played = new Played(absent);
        int askers =
                command instanceof CreateLease && !turn.at().isBefore(scenario.from())
                        ? DemandScaling.callerCount(id, scenario.demand())
                        : 1;
        if (askers == 0) {
            differences.add(
                    turn, id, DecisionDifferences.outcome(turn.leaseEvents()), Outcome.NOT_ASKED);
        }
        for (int twin = 0; twin < askers; twin++) {
            ScenarioLease life = ScenarioLease.of(id, twin, absent);
            played.scenarioLeases.add(life);
            if (life.isTwin()) {
                life.adaptCommand(command)
                        .ifPresent(adapted -> scenarioLeases.decide(life, adapted, turn.at()));
            } else {
                scenarioLeases.applyNext(
                        life, isFollowed(turn) ? Optional.empty() : Optional.of(command), turn);
            }
        }
        return played;
    }
}
