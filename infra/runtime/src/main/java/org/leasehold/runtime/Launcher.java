package org.leasehold.runtime;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Optional;

/**
 * The main class of the jar. It is compiled for Java 17, and refuses a Java that cannot load the
 * engine's classes. Without it, an older Java would print a stack trace.
 */
public final class Launcher {

    static final int REQUIRED_JAVA = 25;

    /** The engine, by name: an older Java must not load it. */
    private static final String ENGINE = "org.leasehold.runtime.Leasehold";

    private static final int WRONG_JAVA_STATUS = 1;

    private Launcher() {}

    public static void main(String[] args) throws Throwable {
        Optional<String> problem = findProblem(Runtime.version());
        if (problem.isPresent()) {
            System.err.println(problem.get());
            System.exit(WRONG_JAVA_STATUS);
        }
        ClassLoader loader = ClassPathCopy.engineLoader(Launcher.class);
        Thread.currentThread().setContextClassLoader(loader);
        // A method handle throws what the engine throws; reflection would wrap it.
        MethodHandles.lookup()
                .findStatic(
                        Class.forName(ENGINE, true, loader),
                        "main",
                        MethodType.methodType(void.class, String[].class))
                .invokeExact(args);
    }

    /** Returns a sentence about a Java that is too old, if it is. */
    static Optional<String> findProblem(Runtime.Version java) {
        if (java.feature() >= REQUIRED_JAVA) {
            return Optional.empty();
        }
        return Optional.of(
                "Leasehold needs Java "
                        + REQUIRED_JAVA
                        + " or newer, but "
                        + System.getProperty("java.home")
                        + " is Java "
                        + java.feature()
                        + ".");
    }
}
