package org.leasehold.runtime;

import org.leasehold.runtime.verify.Verification;
import org.leasehold.runtime.verify.Verification.Report;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.FilterType;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

import java.io.PrintStream;
import java.nio.file.Files;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;

/**
 * {@code java -jar leasehold.jar verify …}: compares the database with its events. Only what reads
 * is started: no process, no timer, no migration.
 */
@ComponentScan(
        basePackages = "org.leasehold",
        useDefaultFilters = false,
        includeFilters =
                @Filter(
                        type = FilterType.REGEX,
                        pattern = ".*\\.(EventLog|\\w*Verification)Configuration"))
@Import(DatabaseConfiguration.class)
final class VerifyCommand {

    static final String NAME = "verify";

    private VerifyCommand() {}

    /** Returns 0 if there is no difference, and 1 if there is one. */
    static int run(String[] settings, PrintStream out) throws SQLException {
        SpringApplication application = new SpringApplication(VerifyCommand.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setLogStartupInfo(false);
        application.addInitializers(context -> findEmbedded(context.getEnvironment()));
        try (ConfigurableApplicationContext context = application.run(quiet(settings))) {
            long began = System.nanoTime();
            Report report = context.getBean(Verification.class).run(out::println);
            Duration took = Duration.ofNanos(System.nanoTime() - began);
            out.printf(
                    "%d leases and %d events up to position %d in %.1f s: %d differences%n",
                    report.leases(),
                    report.events(),
                    report.position(),
                    took.toMillis() / 1e3,
                    report.differences());
            if (report.unfollowed() > 0) {
                out.printf(
                        "Processes have yet to react to %d events; the timers of their leases were"
                                + " not judged.%n",
                        report.unfollowed());
            }
            return report.differences() == 0 ? 0 : 1;
        }
    }

    /** The product's own settings print a banner. */
    private static String[] quiet(String[] settings) {
        return Stream.concat(Stream.of("--spring.main.banner-mode=off"), Arrays.stream(settings))
                .toArray(String[]::new);
    }

    /** The embedded database belongs to the engine that runs on it, if there is one. */
    private static void findEmbedded(ConfigurableEnvironment environment) {
        DatabaseSettings settings =
                Binder.get(environment)
                        .bindOrCreate(DatabaseSettings.PREFIX, DatabaseSettings.class);
        if (!settings.isEmbedded()) {
            return;
        }
        if (!Files.exists(settings.folder().resolve("postgres"))) {
            throw new IllegalArgumentException("There is no database in " + settings.folder());
        }
        EmbeddedDatabase.running(settings.folder())
                .ifPresent(
                        running ->
                                environment
                                        .getPropertySources()
                                        .addFirst(
                                                new MapPropertySource(
                                                        "running engine",
                                                        Map.of(
                                                                DatabaseSettings.PREFIX + ".url",
                                                                running.url(),
                                                                DatabaseSettings.PREFIX + ".user",
                                                                running.user(),
                                                                DatabaseSettings.PREFIX
                                                                        + ".password",
                                                                running.password()))));
    }
}
