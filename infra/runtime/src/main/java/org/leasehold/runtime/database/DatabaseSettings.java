package org.leasehold.runtime.database;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;

import org.jspecify.annotations.Nullable;
import org.leasehold.postgres.DataFolder;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.validation.annotation.Validated;

import java.nio.file.Path;

/**
 * Settings of the database that stores the events.
 *
 * @param url a JDBC URL of a PostgreSQL; null for the embedded one
 * @param user null for the embedded one
 * @param password null for the embedded one
 * @param folder the data folder that the embedded default stores between runs
 * @param connections the most connections that the engine opens
 * @param reservedConnections the connections that requests leave to the engine's own threads; at
 *     most half of all
 * @param serverConnections the connections that the embedded PostgreSQL accepts, from the engine
 *     and from all others; an external server has its own limit
 */
@Validated
@ConfigurationProperties(prefix = DatabaseSettings.PREFIX, ignoreUnknownFields = false)
public record DatabaseSettings(
        @Nullable String url,
        @Nullable String user,
        @Nullable String password,
        @DefaultValue("data") Path folder,
        @DefaultValue("24") @Min(4) @Max(1000) int connections,
        @DefaultValue("8") @Min(0) @Max(1000) int reservedConnections,
        @DefaultValue("100") @Min(20) @Max(1000) int serverConnections) {

    public static final String PREFIX = "leasehold.database";

    public boolean isEmbedded() {
        return url == null;
    }

    /** Returns the configured data folder. */
    public static Path folder(ConfigurableEnvironment environment) {
        String setting = PREFIX + ".folder";
        try {
            Path folder = Binder.get(environment).bind(setting, Path.class).orElse(Path.of("data"));
            return DataFolder.parsePath(folder.toString());
        } catch (BindException e) {
            return DataFolder.parsePath(environment.getProperty(setting, ""));
        }
    }

    /** Returns true if the engine runs its own PostgreSQL. */
    public static boolean isEmbedded(ConfigurableEnvironment environment) {
        return !environment.containsProperty(PREFIX + ".url");
    }

    /** Omits the password: settings get into logs. */
    @Override
    public String toString() {
        return isEmbedded() ? "embedded in " + folder : "%s as %s".formatted(url, user);
    }
}
