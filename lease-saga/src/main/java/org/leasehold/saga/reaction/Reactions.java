package org.leasehold.saga.reaction;

import org.axonframework.eventhandling.EventMessage;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.leasehold.saga.Cause;
import org.leasehold.saga.task.Tasks;
import org.leasehold.saga.timer.Timers;
import org.leasehold.saga.waiting.Waits;

import java.util.List;

/** The execution of reactions within the transaction that handles the event. */
public final class Reactions {

    private final Timers timers;
    private final Tasks tasks;
    private final Waits waits;

    public Reactions(Timers timers, Tasks tasks, Waits waits) {
        this.timers = timers;
        this.tasks = tasks;
        this.waits = waits;
    }

    /**
     * Carries reactions out. Changes of timers and waits are stored once for all events that are
     * handled together.
     */
    public void carryOut(List<Reaction> reactions, EventMessage<?> event) {
        Cause cause = cause(event);
        for (Reaction reaction : reactions) {
            switch (reaction) {
                case Reaction.SetTimer timer -> changes().set(timer, cause);
                case Reaction.CancelTimers cancel -> cancel.keys().forEach(changes()::cancel);
                case Reaction.Submit submit -> tasks.submit(submit.task(), cause);
                case Reaction.Withdraw withdraw -> tasks.withdraw(withdraw.reservation());
                case Reaction.Await(var lease, var awaited) -> changes().await(lease, awaited);
                case Reaction.TryAgain(var lease) ->
                        changes().set(Reaction.start(lease, cause.at()), cause);
                case Reaction.Wake(var reservation) -> changes().letGo(reservation, cause);
            }
        }
    }

    private Changes changes() {
        UnitOfWork<?> unit = CurrentUnitOfWork.get();
        return unit.getOrComputeResource(
                Changes.class.getName(),
                _ -> {
                    Changes changes = new Changes();
                    unit.onPrepareCommit(_ -> changes.store(timers, waits));
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
