package org.leasehold.saga.reaction;

import org.axonframework.eventhandling.EventMessage;
import org.leasehold.saga.Cause;
import org.leasehold.saga.task.Tasks;
import org.leasehold.saga.timer.Timer;
import org.leasehold.saga.timer.Timers;

import java.util.ArrayList;
import java.util.List;

/** Has reactions take effect, within the transaction that handles the event. */
public final class Reactions {

    private final Timers timers;
    private final Tasks tasks;

    Reactions(Timers timers, Tasks tasks) {
        this.timers = timers;
        this.tasks = tasks;
    }

    /** Carries reactions out, in their order but for timers, which are set last and at once. */
    public void carryOut(List<Reaction> reactions, EventMessage<?> event) {
        Cause cause = cause(event);
        List<Timer> set = new ArrayList<>();
        for (Reaction reaction : reactions) {
            switch (reaction) {
                case Reaction.SetTimer timer ->
                        set.add(new Timer(timer.key(), timer.due(), timer.command(), cause));
                case Reaction.CancelTimers cancel -> timers.cancel(cancel.keys());
                case Reaction.Submit submit -> tasks.submit(submit.task(), cause);
                case Reaction.Withdraw withdraw -> tasks.withdraw(withdraw.reservation());
            }
        }
        if (!set.isEmpty()) {
            timers.set(set);
        }
    }

    private static Cause cause(EventMessage<?> event) {
        Object requestId = event.getMetaData().get("requestId");
        return new Cause(
                event.getIdentifier(),
                requestId == null ? event.getIdentifier() : requestId.toString(),
                event.getTimestamp());
    }
}
