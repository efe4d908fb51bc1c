package org.leasehold.chaos;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The points that this process passes, one after each of its durable effects. At one of them it
 * ends, if it is told to, as if it had been killed.
 */
final class Failpoints {

    /** A file that gets a line for each point when it is passed for the first time. */
    private static final String LOG = "failpoints.log";

    /** Where to end. */
    private static final String POINT = "failpoints.point";

    /** As a shell tells it of a process that was killed. */
    private static final int KILLED = 137;

    static final Failpoints OF_THIS_PROCESS =
            new Failpoints(
                    Path.of(System.getProperty(LOG, "failpoints.log")), System.getProperty(POINT));

    private final Path log;
    private final @Nullable String point;
    private final Set<String> passed = ConcurrentHashMap.newKeySet();

    private Failpoints(Path log, @Nullable String point) {
        this.log = log;
        this.point = point;
    }

    void pass(String name) {
        if (passed.add(name)) {
            write("passed " + name);
        }
        if (name.equals(point)) {
            write("killed " + name);
            Runtime.getRuntime().halt(KILLED);
        }
    }

    private synchronized void write(String line) {
        try {
            Files.writeString(
                    log, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
