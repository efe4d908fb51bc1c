package org.leasehold.command.epoch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.leasehold.history.Epochs;
import org.leasehold.history.Epochs.Epoch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The check of the database before a node starts. */
class EpochStartupCheckTest {

    private final EpochDatabase database = new EpochDatabase();
    private LastEventFile file;
    private EpochStartupCheck start;

    @BeforeEach
    void keepTheLastOfThreeEvents(@TempDir Path folder) throws IOException {
        file = new LastEventFile(folder.resolve("last-event"));
        start = new EpochStartupCheck(database.table(), file);
        database.append();
        database.append();
        database.append();
        file.write(database.lastEvent());
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void a_database_with_the_kept_event_starts() throws IOException {
        database.append();

        assertThat(start.run(null).all()).hasSize(1);
    }

    @Test
    void a_database_without_the_kept_event_does_not_start() {
        database.loseAfter(1);

        assertThatThrownBy(() -> start.run(null))
                .isInstanceOfSatisfying(
                        LostEventsException.class, e -> assertThat(e.nextEpoch()).isEqualTo(2))
                .hasMessageContaining("it ends at position 1")
                .hasMessageContaining("at position 3");
    }

    @Test
    void a_database_with_another_event_at_the_position_does_not_start() {
        database.loseAfter(2);
        assertThat(database.append()).isEqualTo(3);

        assertThatThrownBy(() -> start.run(null)).isInstanceOf(LostEventsException.class);
    }

    @Test
    void an_empty_database_does_not_start_when_an_event_is_kept() {
        database.loseAfter(1);
        database.loseFirst();

        assertThatThrownBy(() -> start.run(null))
                .isInstanceOf(LostEventsException.class)
                .hasMessageContaining("it ends at position 0");
    }

    @Test
    void a_configured_epoch_begins_once() throws IOException {
        database.loseAfter(1);

        Epoch begun = start.run(2L).current();
        file.write(database.lastEvent());

        assertThat(start.run(2L).all()).hasSize(2);
        assertThat(begun.number()).isEqualTo(2);
        assertThat(begun.after()).isEqualTo(1);
        assertThat(begun.lostThrough()).isGreaterThan(3);
    }

    @Test
    void events_of_a_new_epoch_have_later_positions_than_lost_ones() throws IOException {
        database.loseAfter(1);

        Epochs epochs = start.run(2L);

        assertThat(database.append()).isEqualTo(epochs.current().lostThrough() + 1);
        assertThat(epochs.withoutEventAt(3)).contains(epochs.current());
    }

    @Test
    void an_epoch_begins_on_request_without_any_known_loss() throws IOException {
        assertThat(new EpochStartupCheck(database.table(), null).run(2L).current().after())
                .isEqualTo(3);
    }

    @Test
    void a_second_node_that_begins_the_same_epoch_changes_nothing() throws IOException {
        database.table().begin(2, 0);
        database.table().begin(2, 0);

        assertThat(database.table().epochs().all()).hasSize(2);
    }

    @Test
    void a_number_that_skips_an_epoch_is_rejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> start.run(3L))
                .withMessageContaining("the next epoch is 2");
    }

    @Test
    void the_number_of_a_lost_epoch_is_not_reused() throws IOException {
        start.run(2L);
        database.append();
        file.write(database.lastEvent());
        database.loseAfter(2);

        assertThatThrownBy(() -> start.run(2L)).isInstanceOf(LostEventsException.class);
        Epochs epochs = start.run(3L);

        assertThat(epochs.all()).extracting(Epoch::number).containsExactly(1L, 3L);
        assertThat(epochs.current().lostThrough()).isGreaterThan(1_000_004);
    }

    @Test
    void a_node_without_a_file_notices_no_loss() throws IOException {
        database.loseAfter(1);

        assertThat(new EpochStartupCheck(database.table(), null).run(null).all()).hasSize(1);
    }

    @Test
    void a_damaged_epoch_file_stops_the_start() throws IOException {
        Files.writeString(file.path(), "epoch 1");

        assertThatThrownBy(() -> start.run(null))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("does not name an event");
    }

    @Test
    void an_empty_file_counts_as_a_missing_file() throws IOException {
        Files.writeString(file.path(), "");

        assertThat(start.run(null).all()).hasSize(1);
    }
}
