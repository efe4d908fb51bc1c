package org.leasehold.runtime.health;

/** Creates outcomes of writes for tests in other packages. */
public final class WriteOutcomes {

    private WriteOutcomes() {}

    /** Returns an outcome before the first write. */
    public static LastWriteOutcome none() {
        return new LastWriteOutcome(() -> 0, () -> 0);
    }
}
