package org.leasehold.gateway.api;

import java.util.concurrent.Semaphore;

/** What takes long and much, and only so many may have at once on a node. */
final class Places {

    /** Each may read the whole history; commands must not notice. */
    static final int AT_ONCE = 2;

    private final String words;
    private final Semaphore places = new Semaphore(AT_ONCE);

    /**
     * Of one sort.
     *
     * @param words what is made of these, and that it is, such as {@code exports are made}
     */
    Places(String words) {
        this.words = words;
    }

    /** One of them, until it is closed. */
    interface Place extends AutoCloseable {

        @Override
        void close();
    }

    /**
     * Takes one.
     *
     * @throws ProblemException if others have them all
     */
    Place take() {
        if (!places.tryAcquire()) {
            throw new ProblemException(
                    Problem.of(
                            503,
                            "busy",
                            "At most %d %s on a node at once; try again later."
                                    .formatted(AT_ONCE, words)));
        }
        return places::release;
    }
}
