package org.leasehold.saga.reaction;

import org.axonframework.eventhandling.EventMessage;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.leasehold.saga.Cause;
import org.leasehold.saga.task.Tasks;
import org.leasehold.saga.timer.Timer;
import org.leasehold.saga.timer.Timers;

import java.util.List;

/** Has reactions take effect, within the transaction that handles the event. */
public final class Reactions {

    private final Timers timers;
    private final Tasks tasks;

    public Reactions(Timers timers, Tasks tasks) {
        this.timers = timers;
        this.tasks = tasks;
    }

    /**
     * Carries reactions out. What becomes of timers is stored once for all events that are handled
     * together.
     */
    public void carryOut(List<Reaction> reactions, EventMessage<?> event) {
        Cause cause = cause(event);
        for (Reaction reaction : reactions) {
            switch (reaction) {
                case Reaction.SetTimer timer ->
                        changes().set(new Timer(timer.key(), timer.due(), timer.command(), cause));
                case Reaction.CancelTimers cancel -> cancel.keys().forEach(changes()::cancel);
                case Reaction.Submit submit -> tasks.submit(submit.task(), cause);
                case Reaction.Withdraw withdraw -> tasks.withdraw(withdraw.reservation());
            }
        }
    }

    private TimerChanges changes() {
        UnitOfWork<?> unit = CurrentUnitOfWork.get();
        return unit.getOrComputeResource(
                TimerChanges.class.getName(),
                _ -> {
                    TimerChanges changes = new TimerChanges();
                    unit.onPrepareCommit(_ -> changes.store(timers));
                    return changes;
                });
    }

    private static Cause cause(EventMessage<?> event) {
        Object requestId = event.getMetaData().get("requestId");
        return new Cause(
                event.getIdentifier(),
                requestId == null ? event.getIdentifier() : requestId.toString(),
                event.getTimestamp());
    }
}
