package org.leasehold.saga.task;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;

import java.time.Instant;

/** The result of running a task. */
sealed interface Verdict {

    /** The task is done. */
    record Finished() implements Verdict {}

    /** Earlier tasks come first, its plug-in is busy, or the cloud still works on it. */
    record NotYet(Instant next) implements Verdict {}

    /**
     * It failed, and is retried.
     *
     * @param waitsFor the kind of the plug-in whose service did not do it; null for another reason
     */
    record Again(Instant next, String fault, @Nullable ResourceKind waitsFor) implements Verdict {}

    /** It failed for the last time; only an operator can retry it. */
    record GivenUp(String fault) implements Verdict {}
}
