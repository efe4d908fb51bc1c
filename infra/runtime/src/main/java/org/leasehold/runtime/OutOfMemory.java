package org.leasehold.runtime;

import com.sun.management.HotSpotDiagnosticMXBean;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.lang.management.ManagementFactory;

/** What this JVM does when its memory does not suffice. */
final class OutOfMemory {

    static final String OPTION = "ExitOnOutOfMemoryError";

    private static final Logger LOG = LoggerFactory.getLogger(OutOfMemory.class);

    private OutOfMemory() {}

    /** Warns if this process would go on, without the threads that an error has ended. */
    static void warnIfSurvived() {
        if (!endsProcess()) {
            LOG.warn("Start java with -XX:+{}: the engine should not outlive its memory", OPTION);
        }
    }

    /** Whether the process ends. */
    static boolean endsProcess() {
        return Boolean.parseBoolean(
                ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                        .getVMOption(OPTION)
                        .getValue());
    }
}
