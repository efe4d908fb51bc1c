package org.leasehold.runtime.epoch;

import jakarta.validation.constraints.Min;

import org.jspecify.annotations.Nullable;
import org.leasehold.runtime.database.DatabaseSettings;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.validation.annotation.Validated;

import java.nio.file.Path;

/**
 * Settings of the detection of lost events.
 *
 * @param file the file in which this node stores the last event outside the database. If null,
 *     {@code last-event} in the data folder of the embedded database, and none with any other
 * @param begin the number of an epoch that may begin although events are lost; null for none. An
 *     epoch begins once, however long its number stays in the settings
 */
@Validated
@ConfigurationProperties(prefix = EpochSettings.PREFIX, ignoreUnknownFields = false)
public record EpochSettings(@Nullable Path file, @Nullable @Min(2) Long begin) {

    public static final String PREFIX = "leasehold.epoch";

    private static final String DEFAULT_FILE = "last-event";

    /** Returns the file of a node with a database; null for none. */
    @Nullable Path file(DatabaseSettings database) {
        if (file != null) {
            return file;
        }
        return database.isEmbedded() ? defaultFile(database) : null;
    }

    /** Returns the file of an engine with an embedded database. */
    public static Path defaultFile(DatabaseSettings database) {
        return database.folder().resolve(DEFAULT_FILE);
    }
}
