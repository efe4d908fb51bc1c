package org.leasehold.command.calendar;

/** Savepoints of the current transaction. */
@FunctionalInterface
interface Savepoints {

    /** Sets a savepoint; running the result undoes all later writes. */
    Runnable setSavepoint();
}
