package org.leasehold.command.epoch;

import org.jspecify.annotations.Nullable;
import org.leasehold.history.ConsistencyCheck;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.util.Optional;

/** Compares the database with the last event in the file outside of it. */
public final class LostEventCheck implements ConsistencyCheck {

    private final EpochTable table;
    private final @Nullable LastEventFile file;

    /**
     * Takes the database and the file.
     *
     * @param file the file; null if there is none, and then nothing is compared
     */
    public LostEventCheck(EpochTable table, @Nullable LastEventFile file) {
        this.table = table;
        this.file = file;
    }

    /**
     * Reads the file first, and the database on another connection. A running engine may have
     * written an event that the given connection, with its older snapshot, does not see.
     */
    @Override
    public void inspect(Connection connection, Finding findings) {
        if (file == null) {
            return;
        }
        try {
            Optional<LastEvent> kept = file.read();
            if (kept.isPresent() && !table.contains(kept.get())) {
                findings.report(
                        "domain_event",
                        "position " + kept.get().position(),
                        "event %s of epoch %s".formatted(kept.get().id(), kept.get().epoch()),
                        "the database has lost it");
            }
        } catch (IOException e) {
            throw new UncheckedIOException("The last event cannot be read", e);
        }
    }
}
