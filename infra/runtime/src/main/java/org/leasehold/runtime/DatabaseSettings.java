package org.leasehold.runtime;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

import java.nio.file.Path;

/**
 * Where the engine keeps its events.
 *
 * @param url a JDBC URL of a PostgreSQL; null for the embedded one
 * @param user null for the embedded one
 * @param password null for the embedded one
 * @param folder what the embedded default keeps between runs
 * @param connections how many connections the engine opens at most
 * @param reservedConnections how many of them requests leave to the engine's own threads; at most
 *     half of them
 * @param serverConnections how many connections the embedded PostgreSQL accepts, from the engine
 *     and from all others; a server of one's own has its own limit
 */
@Validated
@ConfigurationProperties(prefix = DatabaseSettings.PREFIX, ignoreUnknownFields = false)
record DatabaseSettings(
        @Nullable String url,
        @Nullable String user,
        @Nullable String password,
        @DefaultValue("data") Path folder,
        @DefaultValue("24") @Min(4) @Max(1000) int connections,
        @DefaultValue("8") @Min(0) @Max(1000) int reservedConnections,
        @DefaultValue("100") @Min(20) @Max(1000) int serverConnections) {

    static final String PREFIX = "leasehold.database";

    boolean isEmbedded() {
        return url == null;
    }

    /** Settings end up in logs; a password must not. */
    @Override
    public String toString() {
        return isEmbedded() ? "embedded in " + folder : "%s as %s".formatted(url, user);
    }
}
