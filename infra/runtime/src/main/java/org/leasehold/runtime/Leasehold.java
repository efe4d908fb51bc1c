package org.leasehold.runtime;

import org.leasehold.runtime.database.ProcessShutdown;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.FullyQualifiedAnnotationBeanNameGenerator;

import java.io.IOException;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Assembles all modules into one running engine; no other module may depend on a core. */
@SpringBootConfiguration
@EnableAutoConfiguration
@ComponentScan(
        basePackages = "org.leasehold",
        resourcePattern = Leasehold.COMPONENTS,
        // Every package names its configuration after itself; packages may share a name.
        nameGenerator = FullyQualifiedAnnotationBeanNameGenerator.class)
public class Leasehold {

    /** The files of components. A start reads only these, a tenth of all classes. */
    static final String COMPONENTS =
            "**/{component:.*(?:Configuration|Endpoints|Errors|Routes|Rules)}.class";

    private static final String CARRIER_THREADS_PROPERTY = "jdk.virtualThreadScheduler.parallelism";

    public static void main(String[] args) throws SQLException, IOException {
        // Some locales have their own digits; numbers that machines read are ASCII.
        Locale.setDefault(Locale.ROOT);
        String first = args.length == 0 ? "" : args[0];
        switch (first) {
            case VerifyCommand.NAME ->
                    System.exit(VerifyCommand.run(remainingArguments(args), System.out));
            case BlazarImportCommand.NAME ->
                    System.exit(BlazarImportCommand.run(remainingArguments(args), System.out));
            case CheckCloudCommand.NAME ->
                    System.exit(CheckCloudCommand.run(remainingArguments(args), System.out));
            case "--help", "-h", "help" -> System.out.print(CommandLineHelp.TEXT);
            case "--version" -> System.out.println(CommandLineHelp.version());
            default -> {
                Optional<String> problem = CommandLineHelp.findProblem(args);
                if (problem.isPresent()) {
                    System.err.print(problem.get() + "\n\n" + CommandLineHelp.TEXT);
                    System.exit(CommandLineHelp.USAGE_ERROR_STATUS);
                }
                setCarrierThreads();
                SpringApplication engine = application();
                engine.addListeners(new ProcessShutdown());
                engine.run(args);
                OutOfMemoryCheck.warnIfSurvived();
            }
        }
    }

    /**
     * Sets the number of carrier threads. A virtual thread that computes occupies its carrier. With
     * one carrier per core, the default, a few long requests would stop timers and plug-in calls.
     * With many carriers, the operating system gives each its share.
     */
    private static void setCarrierThreads() {
        if (System.getProperty(CARRIER_THREADS_PROPERTY) == null) {
            int cores = Runtime.getRuntime().availableProcessors();
            System.setProperty(CARRIER_THREADS_PROPERTY, Integer.toString(Math.max(16, 4 * cores)));
        }
    }

    private static String[] remainingArguments(String[] args) {
        return Arrays.copyOfRange(args, 1, args.length);
    }

    /** Creates the application for main and for tests. */
    static SpringApplication application() {
        // Axon reads these as JVM properties, before Spring is there: it must call no other server.
        System.setProperty("axoniq.update-checker.disabled", "true");
        System.setProperty("disable-axoniq-console-message", "true");
        return new SpringApplication(Leasehold.class);
    }
}
