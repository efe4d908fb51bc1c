package org.leasehold.runtime;

import org.leasehold.postgres.EmbeddedPostgres;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

import java.nio.file.Files;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;

/** What an operator's command needs to know of the engine that it is for. */
final class RunningEngine {

    private RunningEngine() {}

    /** The product's own settings print a banner. */
    static String[] quiet(String[] settings) {
        return Stream.concat(Stream.of("--spring.main.banner-mode=off"), Arrays.stream(settings))
                .toArray(String[]::new);
    }

    /** The embedded database belongs to the engine that runs on it, if there is one. */
    static void find(ConfigurableEnvironment environment) {
        DatabaseSettings settings =
                Binder.get(environment)
                        .bindOrCreate(DatabaseSettings.PREFIX, DatabaseSettings.class);
        if (!settings.isEmbedded()) {
            return;
        }
        if (!Files.exists(settings.folder().resolve("postgres"))) {
            throw new WrongSetting("There is no database in " + settings.folder());
        }
        EmbeddedPostgres.running(settings.folder())
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
