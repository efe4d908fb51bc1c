package org.leasehold.whatif;

/**
 * Replays what was asked, refused requests included, in a world that is another one from some
 * instant on. Nothing is written.
 */
public interface WhatIf {

    /** More events than this are replayed for nobody. */
    long MOST_EVENTS = 2_000_000;

    /**
     * Replays everything that happened in the window, and of what happened before it what mattered
     * still when it began.
     *
     * @throws TooManyEvents if there are more than {@link #MOST_EVENTS}
     * @throws NoSuchResource if more of a resource are asked for that never was
     */
    Comparison compare(World world);

    /** There is too much to replay. */
    final class TooManyEvents extends RuntimeException {

        private static final long serialVersionUID = 1L;

        public TooManyEvents(long most) {
            super("more than %,d events".formatted(most));
        }
    }

    /** There was no such resource by then. */
    final class NoSuchResource extends RuntimeException {

        private static final long serialVersionUID = 1L;
        private final int index;

        /** Says which of {@link World#more()} asks for it. */
        public NoSuchResource(int index) {
            super("there was no such resource then");
            this.index = index;
        }

        public int index() {
            return index;
        }
    }
}
