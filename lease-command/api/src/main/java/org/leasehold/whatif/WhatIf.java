package org.leasehold.whatif;

import java.util.Locale;

/**
 * Replays requests, refused ones included, in a scenario that differs from some instant on. It
 * writes nothing.
 */
public interface WhatIf {

    /**
     * Replays all events in the window, and the earlier events that still mattered at its start.
     *
     * @throws TooMuch if there is more than fits into a sensible time and into memory
     * @throws NoSuchResource if the scenario adds resources like one that did not exist
     */
    Comparison compare(WhatIfScenario world);

    /** Signals too much to replay; the message states the limit and its unit. */
    final class TooMuch extends RuntimeException {

        private static final long serialVersionUID = 1L;

        public TooMuch(long max, String what) {
            super(String.format(Locale.ROOT, "more than %,d %s", max, what));
        }
    }

    /** Signals that a resource did not exist at that time. */
    final class NoSuchResource extends RuntimeException {

        private static final long serialVersionUID = 1L;
        private final int index;

        /**
         * Takes the index of the entry in {@link WhatIfScenario#more()} that refers to the
         * resource.
         */
        public NoSuchResource(int index) {
            super("there was no such resource then");
            this.index = index;
        }

        public int index() {
            return index;
        }
    }
}
