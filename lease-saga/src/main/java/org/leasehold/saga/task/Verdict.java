package org.leasehold.saga.task;

import java.time.Instant;

/** What becomes of a task after it was run. */
sealed interface Verdict {

    /** There is nothing left to be done. */
    record Finished() implements Verdict {}

    /** It was not tried: it is not its turn, or its plugin is busy. */
    record NotYet(Instant next) implements Verdict {}

    /** It was tried in vain, and is tried again. */
    record Again(Instant next, String fault) implements Verdict {}

    /** It was tried in vain for the last time; only an operator can have it tried again. */
    record GivenUp(String fault) implements Verdict {}
}
