package org.leasehold.command.calendar;

import java.util.concurrent.atomic.AtomicInteger;

/** Whether another node was faster lately, so that it pays to look before choosing. */
final class Wariness {

    private static final int LOOKS = 16;

    private final AtomicInteger left = new AtomicInteger();

    void wasOutrun() {
        left.set(LOOKS);
    }

    boolean isWary() {
        return left.get() > 0;
    }

    /** Somebody has looked before choosing: a hold, or a start that takes its resources up. */
    void looked() {
        left.updateAndGet(looks -> Math.max(0, looks - 1));
    }
}
