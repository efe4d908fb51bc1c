package org.leasehold.publishing;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A program of the tests in its own process, which can be killed. */
public final class ChildProcess {

    private ChildProcess() {}

    /**
     * Starts a class that has a main method.
     *
     * @return the process; its output is in a file in {@code target} that is named after it
     */
    public static Process start(Class<?> program, String... words) throws IOException {
        List<String> command =
                Stream.concat(
                                Stream.of(
                                        Path.of(System.getProperty("java.home"), "bin", "java")
                                                .toString(),
                                        // It runs for seconds: a cheap start saves more time.
                                        "-XX:TieredStopAtLevel=1",
                                        "-XX:+UseSerialGC",
                                        "-cp",
                                        System.getProperty(
                                                "surefire.test.class.path",
                                                System.getProperty("java.class.path")),
                                        program.getName()),
                                Stream.of(words))
                        .toList();
        return new ProcessBuilder(command)
                .redirectOutput(Redirect.to(new File("target", program.getSimpleName() + ".log")))
                .redirectErrorStream(true)
                .start();
    }
}
