package org.leasehold.runtime;

import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;

/** The command line of the program: its help, and errors of a call. */
final class CommandLineHelp {

    private static final String UNPACKAGED = "unpackaged";

    /** The exit status of a wrong call, as in shells. */
    static final int USAGE_ERROR_STATUS = 2;

    static final String TEXT =
            """
            Usage: java -jar leasehold.jar [--SETTING=VALUE ...]           starts the engine
                   java -jar leasehold.jar verify [--SETTING=VALUE ...]    compares its tables with its events
                   java -jar leasehold.jar move-in [--import] [--SETTING=VALUE ...]
                                                                           brings over what a Blazar holds
                   java -jar leasehold.jar check-cloud [--SETTING=VALUE ...]
                                                                           tries the rights of its user in the cloud
                   java -jar leasehold.jar --help | --version

            Without settings, the engine listens on http://127.0.0.1:1234, runs a PostgreSQL of its own, keeps its
            data in ./data and leases a simulated cloud. With java -XX:+ExitOnOutOfMemoryError -jar …, it ends when
            its memory does not suffice, instead of going on without some of its threads. Settings can also be environment variables
            (LEASEHOLD_DATABASE_FOLDER) or lines of ./application.properties.

              --server.port=1234                     where the engine listens
              --server.address=127.0.0.1
              --leasehold.probes.port=1235           where probes find /actuator/health/, on this machine only
              --leasehold.database.folder=data       data of the embedded PostgreSQL, and the users' passwords
              --leasehold.database.url=jdbc:postgresql://HOST/DATABASE, with .user and .password
                                                     a PostgreSQL of yours instead
              --leasehold.plugins.folder=FOLDER      jars of plug-ins of yours
            """;

    private CommandLineHelp() {}

    /** Returns a sentence about the first word that is neither a setting nor a command, if any. */
    static Optional<String> findProblem(String... words) {
        return Arrays.stream(words)
                .filter(word -> !word.startsWith("--"))
                .findFirst()
                .map(word -> "Unknown command: " + word);
    }

    /** Returns the name and the version of this build. */
    static String version() {
        String build = buildVersion();
        return "leasehold " + (build.equals(UNPACKAGED) ? "(" + build + ")" : build);
    }

    /** Returns the version of this build; a build that is not in a jar has none. */
    static String buildVersion() {
        return Objects.requireNonNullElse(
                CommandLineHelp.class.getPackage().getImplementationVersion(), UNPACKAGED);
    }
}
