package org.leasehold.saga.task;

import java.time.Instant;

/** What becomes of a task after it was run. */
sealed interface Verdict {

    /** There is nothing left to be done. */
    record Finished() implements Verdict {}

    /** It is not its turn, its plugin is busy, or the cloud is still about it. */
    record NotYet(Instant next) implements Verdict {}

    /** It was tried in vain, and is tried again. */
    record Again(Instant next, String fault) implements Verdict {}

    /** It was tried in vain for the last time; only an operator can have it tried again. */
    record GivenUp(String fault) implements Verdict {}
}
