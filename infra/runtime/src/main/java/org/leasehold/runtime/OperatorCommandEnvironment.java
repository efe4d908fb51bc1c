package org.leasehold.runtime;

import org.leasehold.postgres.EmbeddedPostgres;
import org.leasehold.runtime.database.DatabaseSettings;
import org.leasehold.runtime.epoch.EpochSettings;
import org.leasehold.runtime.setting.InvalidSettingException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;

import java.nio.file.Files;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;

/** Settings of an operator's command that come from the engine it is for. */
final class OperatorCommandEnvironment {

    private OperatorCommandEnvironment() {}

    /** Adds a setting without a banner, which the product's own settings print. */
    static String[] withoutBanner(String[] settings) {
        return Stream.concat(Stream.of("--spring.main.banner-mode=off"), Arrays.stream(settings))
                .toArray(String[]::new);
    }

    /** Finds the embedded database of the running engine, if there is one. */
    static void addRunningEngineSettings(ConfigurableEnvironment environment) {
        DatabaseSettings settings =
                Binder.get(environment)
                        .bindOrCreate(DatabaseSettings.PREFIX, DatabaseSettings.class);
        if (!settings.isEmbedded()) {
            return;
        }
        if (!Files.exists(settings.folder().resolve("postgres"))) {
            throw new InvalidSettingException("There is no database in " + settings.folder());
        }
        EmbeddedPostgres.findRunning(settings.folder())
                .ifPresent(
                        running -> {
                            MutablePropertySources sources = environment.getPropertySources();
                            sources.addFirst(
                                    new MapPropertySource(
                                            "running engine",
                                            Map.of(
                                                    DatabaseSettings.PREFIX + ".url",
                                                    running.url(),
                                                    DatabaseSettings.PREFIX + ".user",
                                                    running.user(),
                                                    DatabaseSettings.PREFIX + ".password",
                                                    running.password())));
                            sources.addLast(
                                    new MapPropertySource(
                                            "files of the running engine",
                                            Map.of(
                                                    EpochSettings.PREFIX + ".file",
                                                    EpochSettings.defaultFile(settings))));
                        });
    }
}
