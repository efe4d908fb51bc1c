package org.leasehold.whatif;

import java.util.Locale;

/**
 * Replays what was asked, refused requests included, in a world that is another one from some
 * instant on. Nothing is written.
 */
public interface WhatIf {

    /**
     * Replays everything that happened in the window, and of what happened before it what mattered
     * still when it began.
     *
     * @throws TooMuch if there is more than can be replayed in a sensible time and in memory
     * @throws NoSuchResource if more of a resource are asked for that never was
     */
    Comparison compare(World world);

    /** There is too much to replay; the message says how much would do, and of what. */
    final class TooMuch extends RuntimeException {

        private static final long serialVersionUID = 1L;

        public TooMuch(long most, String what) {
            super(String.format(Locale.ROOT, "more than %,d %s", most, what));
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
