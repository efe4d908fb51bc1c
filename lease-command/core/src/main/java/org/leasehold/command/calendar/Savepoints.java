package org.leasehold.command.calendar;

/** Points of the present transaction that can be gone back to. */
@FunctionalInterface
interface Savepoints {

    /** Marks this point; to run what is returned undoes all that was written after it. */
    Runnable mark();
}
