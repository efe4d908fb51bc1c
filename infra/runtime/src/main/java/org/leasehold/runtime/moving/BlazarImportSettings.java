package org.leasehold.runtime.moving;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.nio.file.Path;
import java.util.Set;

/**
 * Settings of an import from Blazar.
 *
 * @param url the URL of Blazar's database, {@code jdbc:mariadb:…} or {@code jdbc:postgresql:…}
 * @param user a user of that database; read access is enough
 * @param configuration Blazar's file of settings: it gives rows a meaning, and names Blazar's
 *     objects in the cloud
 * @param without the ids of leases to leave behind
 * @param doIt true to import, false to report only
 */
@ConfigurationProperties(prefix = BlazarImportSettings.PREFIX, ignoreUnknownFields = false)
public record BlazarImportSettings(
        String url,
        String user,
        @DefaultValue("") String password,
        Path configuration,
        @DefaultValue Set<String> without,
        @DefaultValue("false") boolean doIt) {

    public static final String PREFIX = "leasehold.moving";

    public BlazarImportSettings {
        if (url == null || user == null || configuration == null) {
            throw new IllegalArgumentException(
                    "%1$s.url and %1$s.user say where Blazar's database is, and %1$s.configuration"
                                    .formatted(PREFIX)
                            + " where its file of settings is");
        }
        without = Set.copyOf(without);
    }

    /** Omits the password and the URL, which may contain one: settings get into logs. */
    @Override
    public String toString() {
        return "BlazarImportSettings[" + user + "]";
    }
}
