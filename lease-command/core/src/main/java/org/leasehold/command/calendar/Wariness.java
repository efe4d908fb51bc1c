package org.leasehold.command.calendar;

import java.util.concurrent.atomic.AtomicInteger;

/** Whether another node was faster lately, so that it pays to look before choosing. */
final class Wariness {

    private static final int HOLDS = 16;

    private final AtomicInteger left = new AtomicInteger();

    void wasOutrun() {
        left.set(HOLDS);
    }

    boolean isWary() {
        return left.get() > 0;
    }

    /** Whether this hold is to be a wary one. */
    boolean takesCare() {
        return left.get() > 0 && left.decrementAndGet() >= 0;
    }
}
