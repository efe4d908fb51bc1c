package org.leasehold.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The points that this process passes, one after each of its durable effects. At the first of those
 * at which it is told to end it does, as if it had been killed.
 */
final class Failpoints {

    /** A file that gets a line for each point when it is passed for the first time. */
    private static final String LOG = "failpoints.log";

    /** Where to end, separated by commas. */
    private static final String DEADLY = "failpoints.deadly";

    /** As a shell tells it of a process that was killed. */
    private static final int KILLED = 137;

    static final Failpoints OF_THIS_PROCESS =
            new Failpoints(
                    Path.of(System.getProperty(LOG, "failpoints.log")),
                    Set.of(System.getProperty(DEADLY, "").split(",", -1)));

    private final Path log;
    private final Set<String> deadly;
    private final Set<String> passed = ConcurrentHashMap.newKeySet();

    private Failpoints(Path log, Set<String> deadly) {
        this.log = log;
        this.deadly = deadly;
    }

    void pass(String name) {
        if (passed.add(name)) {
            write("passed " + name);
        }
        if (deadly.contains(name)) {
            end(name);
        }
    }

    /** Nobody else gets here any more: a process dies once. */
    private synchronized void end(String name) {
        write("killed " + name);
        Runtime.getRuntime().halt(KILLED);
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
