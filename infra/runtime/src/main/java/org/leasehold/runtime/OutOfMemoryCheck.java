package org.leasehold.runtime;

import com.sun.management.HotSpotDiagnosticMXBean;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.lang.management.ManagementFactory;

/** The behaviour of this JVM when it runs out of memory. */
final class OutOfMemoryCheck {

    static final String OPTION = "ExitOnOutOfMemoryError";

    private static final Logger LOG = LoggerFactory.getLogger(OutOfMemoryCheck.class);

    private OutOfMemoryCheck() {}

    /** Warns if this process would survive, without the threads that an error has ended. */
    static void warnIfSurvived() {
        if (!endsProcess()) {
            LOG.warn("Start java with -XX:+{}: the engine should not outlive its memory", OPTION);
        }
    }

    /** Returns true if an out-of-memory error ends the process. */
    static boolean endsProcess() {
        return Boolean.parseBoolean(
                ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                        .getVMOption(OPTION)
                        .getValue());
    }
}
