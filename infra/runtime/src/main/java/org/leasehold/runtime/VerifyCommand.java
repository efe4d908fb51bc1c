package org.leasehold.runtime;

import org.leasehold.runtime.database.EnableDatabase;
import org.leasehold.runtime.verify.Verification;
import org.leasehold.runtime.verify.Verification.Report;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.FilterType;

import java.io.PrintStream;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;

/**
 * The command {@code java -jar leasehold.jar verify …}. It compares the database with its events.
 * It starts only readers: no saga, no timer, no migration.
 */
@ComponentScan(
        basePackages = "org.leasehold",
        useDefaultFilters = false,
        includeFilters =
                @Filter(
                        type = FilterType.REGEX,
                        pattern = ".*\\.(EventLog|\\w*Verification)Configuration"))
@EnableDatabase
final class VerifyCommand {

    static final String NAME = "verify";

    private VerifyCommand() {}

    /** Returns 0 if there is no difference, and 1 if there is one. */
    static int run(String[] settings, PrintStream out) throws SQLException {
        SpringApplication application = new SpringApplication(VerifyCommand.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setLogStartupInfo(false);
        application.addInitializers(
                context ->
                        OperatorCommandEnvironment.addRunningEngineSettings(
                                context.getEnvironment()));
        try (ConfigurableApplicationContext context =
                application.run(OperatorCommandEnvironment.withoutBanner(settings))) {
            long began = System.nanoTime();
            Report report = context.getBean(Verification.class).run(out::println);
            Duration took = Duration.ofNanos(System.nanoTime() - began);
            out.printf(
                    Locale.ROOT,
                    "%d leases and %d events up to position %d in %.1f s: %d differences%n",
                    report.leases(),
                    report.events(),
                    report.position(),
                    took.toMillis() / 1e3,
                    report.differences());
            if (report.unfollowed() > 0) {
                out.printf(
                        "Processes have yet to react to %s events; the timers of their leases were"
                                + " not judged.%n",
                        report.unfollowed());
            }
            return report.differences() == 0 ? 0 : 1;
        }
    }
}
