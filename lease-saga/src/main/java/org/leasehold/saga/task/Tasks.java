package org.leasehold.saga.task;

import org.leasehold.lease.ReservationId;
import org.leasehold.saga.Cause;

/**
 * Plugin actions that survive the process. What is called in a transaction takes effect with it.
 */
public interface Tasks {

    /**
     * Has the action done as soon as what was submitted for the same subject before is done. An end
     * takes the place of everything that was not begun yet, and a start of what was to be done
     * before it.
     */
    void submit(PluginTask task, Cause cause);

    /** Has what failed, and would be tried again later, tried again now. */
    void hasten();

    /** The reservation has nothing left in the cloud: nothing has to be done for it any more. */
    void withdraw(ReservationId reservation);
}
