package org.leasehold.saga.node;

import java.lang.management.ManagementFactory;

/**
 * This process among those that work on one database.
 *
 * @param name no two processes that live at the same time have the same
 * @param works whether it fires timers, calls plugins and reacts to events
 */
public record Node(String name, boolean works) {

    /** Number of the process and name of the machine: {@code 4711@machine}. */
    public static String ofThisProcess() {
        return ManagementFactory.getRuntimeMXBean().getName();
    }
}
