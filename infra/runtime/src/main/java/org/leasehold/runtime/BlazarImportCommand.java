package org.leasehold.runtime;

import org.leasehold.command.Commands;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.readmodel.resource.Resources;
import org.leasehold.resource.Plugins;
import org.leasehold.runtime.database.EnableDatabase;
import org.leasehold.runtime.moving.BlazarImport;
import org.leasehold.runtime.moving.BlazarImportSettings;
import org.leasehold.runtime.moving.EngineDatabase;
import org.leasehold.runtime.moving.ImportExecution;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.FilterType;
import org.springframework.context.annotation.FullyQualifiedAnnotationBeanNameGenerator;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.io.IOException;
import java.io.PrintStream;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;

import javax.sql.DataSource;

/**
 * The command {@code java -jar leasehold.jar move-in …}. It reports what it would import from a
 * Blazar, and imports it with {@code --import}. It starts the parts of the engine that decide and
 * write: no saga, no timer, no migration.
 */
@ComponentScan(
        basePackages = {"org.leasehold.command", "org.leasehold.query"},
        nameGenerator = FullyQualifiedAnnotationBeanNameGenerator.class,
        useDefaultFilters = false,
        includeFilters = @Filter(type = FilterType.REGEX, pattern = ".*Configuration"))
@EnableDatabase
@Import(PluginConfiguration.class)
@EnableConfigurationProperties(BlazarImportSettings.class)
final class BlazarImportCommand {

    static final String NAME = "move-in";

    private static final String IMPORT_OPTION = "--import";

    private BlazarImportCommand() {}

    /** Returns 0 if nothing prevents the import, and 1 otherwise. */
    static int run(String[] settings, PrintStream out) throws SQLException, IOException {
        SpringApplication application = new SpringApplication(BlazarImportCommand.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setLogStartupInfo(false);
        application.addInitializers(
                context ->
                        OperatorCommandEnvironment.addRunningEngineSettings(
                                context.getEnvironment()));
        String[] given =
                Arrays.stream(settings)
                        .map(each -> each.equals(IMPORT_OPTION) ? importSetting() : each)
                        .toArray(String[]::new);
        try (ConfigurableApplicationContext context =
                application.run(OperatorCommandEnvironment.withoutBanner(given))) {
            return context.getBean(BlazarImport.class).run(out::println) ? 0 : 1;
        }
    }

    private static String importSetting() {
        return "--" + BlazarImportSettings.PREFIX + ".do-it=true";
    }

    @Bean
    static Clock clock() {
        return RuntimeConfiguration.microsecondClock();
    }

    @Bean
    static JdbcTemplate jdbcTemplate(DataSource dataSource) {
        return new JdbcTemplate(dataSource);
    }

    @Bean
    static JdbcClient jdbcClient(JdbcTemplate jdbc) {
        return JdbcClient.create(jdbc);
    }

    @Bean
    static ImportExecution importExecution(
            Commands commands, Resources resources, Leases leases, Clock clock) {
        return new ImportExecution(commands, resources, leases, clock);
    }

    @Bean
    static BlazarImport move(
            BlazarImportSettings settings,
            Environment environment,
            Plugins plugins,
            ImportExecution execution,
            JdbcClient jdbc) {
        Duration cleaning =
                Binder.get(environment)
                        .bind("leasehold.calendar.cleaning-time", Duration.class)
                        .orElse(Duration.ZERO);
        return new BlazarImport(settings, cleaning, plugins, new EngineDatabase(jdbc), execution);
    }
}
