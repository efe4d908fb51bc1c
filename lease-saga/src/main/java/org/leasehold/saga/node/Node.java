package org.leasehold.saga.node;

import java.lang.management.ManagementFactory;

/**
 * This process among those that share one database.
 *
 * @param name unique among the processes that live at the same time
 * @param works whether it fires timers, calls plug-ins and reacts to events
 */
public record Node(String name, boolean works) {

    /** Returns the process id and the name of the machine: {@code 4711@machine}. */
    public static String currentProcessName() {
        return ManagementFactory.getRuntimeMXBean().getName();
    }
}
