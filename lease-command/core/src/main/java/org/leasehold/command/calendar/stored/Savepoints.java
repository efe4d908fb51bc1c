package org.leasehold.command.calendar.stored;

/** Savepoints of the current transaction. */
@FunctionalInterface
public interface Savepoints {

    /** Sets a savepoint; running the result undoes all later writes. */
    Runnable setSavepoint();
}
