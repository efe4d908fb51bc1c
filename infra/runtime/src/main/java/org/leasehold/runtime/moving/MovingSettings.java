package org.leasehold.runtime.moving;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.nio.file.Path;
import java.util.Set;

/**
 * Where to move in from.
 *
 * @param url of Blazar's database, {@code jdbc:mariadb:…} or {@code jdbc:postgresql:…}
 * @param user of that database; reading is enough
 * @param configuration Blazar's file of settings: it says what Blazar's rows mean, and what its
 *     things in the cloud are called
 * @param without the ids of leases that are to be left behind
 * @param doIt whether anything is to come, and not only to be told of
 */
@ConfigurationProperties(prefix = MovingSettings.PREFIX, ignoreUnknownFields = false)
public record MovingSettings(
        String url,
        String user,
        @DefaultValue("") String password,
        Path configuration,
        @DefaultValue Set<String> without,
        @DefaultValue("false") boolean doIt) {

    public static final String PREFIX = "leasehold.moving";

    public MovingSettings {
        if (url == null || user == null || configuration == null) {
            throw new IllegalArgumentException(
                    "%1$s.url and %1$s.user say where Blazar's database is, and %1$s.configuration"
                                    .formatted(PREFIX)
                            + " where its file of settings is");
        }
        without = Set.copyOf(without);
    }

    /** Settings end up in logs; a password must not, and a URL may have one. */
    @Override
    public String toString() {
        return "MovingSettings[" + user + "]";
    }
}
