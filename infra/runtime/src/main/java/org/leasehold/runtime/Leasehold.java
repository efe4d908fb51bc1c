package org.leasehold.runtime;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.FullyQualifiedAnnotationBeanNameGenerator;

import java.io.IOException;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Assembles every module into one running engine; nothing else may depend on a core. */
@SpringBootApplication(
        scanBasePackages = "org.leasehold",
        // Every package calls its configuration after itself; some packages share a name.
        nameGenerator = FullyQualifiedAnnotationBeanNameGenerator.class)
public class Leasehold {

    private static final String CARRIERS = "jdk.virtualThreadScheduler.parallelism";

    public static void main(String[] args) throws SQLException, IOException {
        // Some locales have digits of their own; numbers that machines read have ours.
        Locale.setDefault(Locale.ROOT);
        String first = args.length == 0 ? "" : args[0];
        switch (first) {
            case VerifyCommand.NAME -> System.exit(VerifyCommand.run(rest(args), System.out));
            case MoveInCommand.NAME -> System.exit(MoveInCommand.run(rest(args), System.out));
            case CheckCloudCommand.NAME ->
                    System.exit(CheckCloudCommand.run(rest(args), System.out));
            case "--help", "-h", "help" -> System.out.print(Usage.TEXT);
            case "--version" -> System.out.println(Usage.version());
            default -> {
                Optional<String> problem = Usage.problemOf(args);
                if (problem.isPresent()) {
                    System.err.print(problem.get() + "\n\n" + Usage.TEXT);
                    System.exit(Usage.WRONG);
                }
                shareProcessors();
                SpringApplication engine = application();
                engine.addListeners(new ProcessEnd());
                engine.run(args);
                OutOfMemory.warnIfSurvived();
            }
        }
    }

    /**
     * A virtual thread that computes keeps its carrier. With one carrier for each core, which is
     * the default, a few long answers would stop timers and calls of plugins; the operating system
     * gives each of many carriers its share.
     */
    private static void shareProcessors() {
        if (System.getProperty(CARRIERS) == null) {
            int cores = Runtime.getRuntime().availableProcessors();
            System.setProperty(CARRIERS, Integer.toString(Math.max(16, 4 * cores)));
        }
    }

    private static String[] rest(String[] args) {
        return Arrays.copyOfRange(args, 1, args.length);
    }

    /** What main starts, and the tests, too. */
    static SpringApplication application() {
        // Axon reads these as properties of the JVM, before Spring is there: it shall call nobody.
        System.setProperty("axoniq.update-checker.disabled", "true");
        System.setProperty("disable-axoniq-console-message", "true");
        return new SpringApplication(Leasehold.class);
    }
}
