package org.leasehold.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The failpoints that this process passes, one after each of its durable effects. At the first of
 * the configured ones, the process ends as if it had been killed.
 */
final class Failpoints {

    /** The property that names a file; it gets a line for each point when it is first passed. */
    private static final String LOG_PROPERTY = "failpoints.log";

    /** The property that names the points at which to end, separated by commas. */
    private static final String DEADLY_PROPERTY = "failpoints.deadly";

    /** The exit status of a killed process, as a shell reports it. */
    private static final int KILLED_STATUS = 137;

    static final Failpoints OF_THIS_PROCESS =
            new Failpoints(
                    Path.of(System.getProperty(LOG_PROPERTY, "failpoints.log")),
                    Set.of(System.getProperty(DEADLY_PROPERTY, "").split(",", -1)));

    private final Path log;
    private final Set<String> deadlyPoints;
    private final Set<String> passed = ConcurrentHashMap.newKeySet();

    private Failpoints(Path log, Set<String> deadly) {
        this.log = log;
        this.deadlyPoints = deadly;
    }

    /** Passes the points of one commit. A process that ends there ends at all of them. */
    void pass(Set<String> names) {
        for (String name : names) {
            if (passed.add(name)) {
                write("passed " + name);
            }
        }
        if (names.stream().anyMatch(deadlyPoints::contains)) {
            killProcess(names);
        }
    }

    /** Ends the process, once: the lock stops all other threads here. */
    private synchronized void killProcess(Set<String> names) {
        names.forEach(name -> write("killed " + name));
        Runtime.getRuntime().halt(KILLED_STATUS);
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
