package org.leasehold.saga.task;

import org.leasehold.saga.Cause;
import org.leasehold.vocabulary.ReservationId;

/** Durable tasks of plug-ins. Calls in a transaction take effect with it. */
public interface TaskQueue {

    /**
     * Submits a task, which runs after the earlier tasks of its subject. An end replaces all tasks
     * that have not begun, and a start replaces the preparation.
     */
    void submit(PluginTask task, Cause cause);

    /** Retries failed tasks now instead of later. */
    void retryNow();

    /** Returns whether the reservation has unfinished tasks; parked ones do not count. */
    boolean isBusy(ReservationId reservation);

    /** Removes the idle tasks of a reservation, which has nothing left in the cloud. */
    void withdraw(ReservationId reservation);
}
