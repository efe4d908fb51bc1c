package org.leasehold.command.epoch;

import org.jspecify.annotations.Nullable;
import org.leasehold.history.Epochs;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.util.Optional;

/**
 * The check before a node starts: the database must still contain the last event in the file. If it
 * does not, the node starts only when the operator names the epoch to begin.
 */
public final class EpochStartupCheck {

    private static final Logger LOG = LoggerFactory.getLogger(EpochStartupCheck.class);

    private final EpochTable table;
    private final @Nullable LastEventFile file;

    /**
     * Takes the database and the file.
     *
     * @param file the file; null if this node has none, and then no loss is noticed
     */
    public EpochStartupCheck(EpochTable table, @Nullable LastEventFile file) {
        this.table = table;
        this.file = file;
    }

    /**
     * Checks the database, and begins an epoch if the operator requests it. A number that stays in
     * the settings begins its epoch once.
     *
     * @param begin the number of the epoch to begin; null for none
     * @return the epochs of the database
     * @throws LostEventsException if events are lost and no epoch may begin without them
     * @throws IllegalArgumentException if {@code begin} is not the number of the next epoch
     * @throws IOException if the file cannot be read
     */
    public Epochs run(@Nullable Long begin) throws IOException {
        Epochs epochs = table.epochs();
        Optional<LastEvent> kept = file == null ? Optional.empty() : file.read();
        Optional<LastEvent> lost = kept.filter(event -> !table.contains(event));
        long known = epochs.current().number();
        long next = Math.max(known, kept.map(LastEvent::epoch).orElse(known)) + 1;
        if (begin != null && begin == next) {
            return begin(next, kept);
        }
        if (lost.isPresent()) {
            throw new LostEventsException(describe(lost.get()), next);
        }
        if (begin != null && begin > next) {
            throw new IllegalArgumentException("the next epoch is " + next + ", not " + begin);
        }
        return epochs;
    }

    private Epochs begin(long number, Optional<LastEvent> kept) {
        table.begin(number, kept.map(LastEvent::position).orElse(0L));
        Epochs epochs = table.epochs();
        LOG.atWarn()
                .addKeyValue("epoch", number)
                .addKeyValue("after", epochs.current().after())
                .addKeyValue("lostThrough", epochs.current().lostThrough())
                .log("A new epoch begins: later events of earlier epochs are lost");
        return epochs;
    }

    private String describe(LastEvent lost) {
        return "The database has lost events: it ends at position %s, but %s names event %s at position %s"
                .formatted(
                        table.lastEvent().map(LastEvent::position).orElse(0L),
                        file == null ? "no file" : file.path(),
                        lost.id(),
                        lost.position());
    }
}
