package org.leasehold.command.execution;

import org.jspecify.annotations.Nullable;

/**
 * Carries an answer out of a transaction that must store nothing. Only an exception makes a unit of
 * work roll back.
 */
final class RollbackWithResultException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient @Nullable Object result;

    RollbackWithResultException(@Nullable Object answer) {
        super("rolled back on purpose", null, false, false);
        this.result = answer;
    }

    @Nullable Object result() {
        return result;
    }
}
