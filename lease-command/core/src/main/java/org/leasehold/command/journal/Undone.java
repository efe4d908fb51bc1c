package org.leasehold.command.journal;

import org.jspecify.annotations.Nullable;

/**
 * Carries an answer out of a transaction that must store nothing. Only an exception makes a unit of
 * work roll back.
 */
final class Undone extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient @Nullable Object answer;

    Undone(@Nullable Object answer) {
        super("rolled back on purpose", null, false, false);
        this.answer = answer;
    }

    @Nullable Object answer() {
        return answer;
    }
}
