package org.leasehold.saga.reaction;

import org.axonframework.eventhandling.EventMessage;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.leasehold.saga.Cause;
import org.leasehold.saga.task.TaskQueue;
import org.leasehold.saga.timer.Timers;
import org.leasehold.saga.waiting.WaitingLeases;

import java.time.Duration;
import java.util.List;

/** The execution of reactions within the transaction that handles the event. */
public final class ReactionExecutor {

    private final Timers timers;
    private final TaskQueue tasks;
    private final WaitingLeases waits;
    private final Duration replaceFailedAfter;

    /**
     * Takes the parts.
     *
     * @param replaceFailedAfter the time from the failure of a resource to its replacement in a
     *     running reservation; zero for no replacement
     */
    public ReactionExecutor(
            Timers timers, TaskQueue tasks, WaitingLeases waits, Duration replaceFailedAfter) {
        this.replaceFailedAfter = replaceFailedAfter;
        this.timers = timers;
        this.tasks = tasks;
        this.waits = waits;
    }

    /**
     * Carries reactions out. Changes of timers and waits are stored once for all events that are
     * handled together.
     */
    public void execute(List<Reaction> reactions, EventMessage<?> event) {
        Cause cause = Cause.of(event);
        for (Reaction reaction : reactions) {
            switch (reaction) {
                case Reaction.SetTimer timer -> pendingChanges().setTimer(timer, cause);
                case Reaction.CancelTimers cancel ->
                        cancel.keys().forEach(pendingChanges()::cancelTimer);
                case Reaction.Submit submit -> tasks.submit(submit.task(), cause);
                case Reaction.Withdraw withdraw -> tasks.withdraw(withdraw.reservation());
                case Reaction.Await(var lease, var awaited) ->
                        pendingChanges().setWait(lease, awaited);
                case Reaction.TryAgain(var lease) ->
                        pendingChanges().setTimer(Reaction.setStartTimer(lease, cause.at()), cause);
                case Reaction.ReportOutage(var lease, var resource, var reason) ->
                        pendingChanges()
                                .setTimer(
                                        Reaction.setOutageTimer(
                                                lease, resource, cause.at(), reason),
                                        cause);
                case Reaction.ReplaceResource(var lease, var resource) ->
                        pendingChanges()
                                .setTimer(
                                        Reaction.setReplacementTimer(lease, resource, cause.at()),
                                        cause);
                case Reaction.ReplaceLater later -> {
                    if (replaceFailedAfter.isPositive()) {
                        pendingChanges()
                                .setTimer(
                                        Reaction.setReplacementTimer(
                                                later, cause.at().plus(replaceFailedAfter)),
                                        cause);
                    }
                }
                case Reaction.Wake(var reservation) ->
                        pendingChanges().wakeWaiting(reservation, cause);
            }
        }
    }

    private PendingTimerChanges pendingChanges() {
        UnitOfWork<?> unit = CurrentUnitOfWork.get();
        return unit.getOrComputeResource(
                PendingTimerChanges.class.getName(),
                _ -> {
                    PendingTimerChanges changes = new PendingTimerChanges();
                    unit.onPrepareCommit(_ -> changes.store(timers, waits));
                    return changes;
                });
    }
}
