package org.leasehold.command.epoch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.leasehold.history.RecordedEvent;
import org.leasehold.history.Tail;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The file of the last event, while the engine runs. */
@Timeout(60)
class LastEventKeeperTest {

    private final EpochDatabase database = new EpochDatabase();
    private final CompletableFuture<LastEvent> lost = new CompletableFuture<>();
    private LastEventFile file;
    private LastEventKeeper keeper;

    @BeforeEach
    void start(@TempDir Path folder) {
        file = new LastEventFile(folder.resolve("last-event"));
        keeper = new LastEventKeeper(database.table(), file, new Polled(), lost::complete);
        keeper.start();
    }

    @AfterEach
    void close() {
        keeper.stop();
        database.close();
    }

    @Test
    void the_file_names_the_last_event_soon() throws Exception {
        database.append();
        database.append();

        await(database.lastEvent());
    }

    @Test
    void the_file_names_the_last_event_after_a_stop() throws IOException {
        database.append();

        keeper.stop();

        assertThat(file.read()).contains(database.lastEvent());
    }

    @Test
    void an_event_is_kept_if_the_stop_interrupts_the_write() throws Exception {
        LastEventKeeper interrupted =
                new LastEventKeeper(database.table(), file, new Interrupted(), lost::complete);
        keeper.stop();
        interrupted.start();
        database.append();

        interrupted.stop();

        assertThat(file.read()).contains(database.lastEvent());
    }

    @Test
    void a_lost_event_is_reported_and_stays_in_the_file() throws Exception {
        database.append();
        database.append();
        LastEvent last = database.lastEvent();
        await(last);

        database.loseAfter(1);
        database.append();

        assertThat(lost.join()).isEqualTo(last);
        keeper.stop();
        assertThat(file.read()).contains(last);
    }

    @Test
    void a_thread_that_was_stopped_is_not_missed() {
        assertThat(keeper.ended()).isEmpty();
        keeper.stop();

        assertThat(keeper.ended()).isEmpty();
    }

    private void await(LastEvent last) throws IOException, InterruptedException {
        while (!file.read().equals(Optional.of(last))) {
            Thread.sleep(10);
        }
    }

    /** Returns at once, so that each round queries the database. */
    private static final class Polled implements Tail {

        @Override
        public long await(long after, Duration longest) {
            return after;
        }

        @Override
        public List<RecordedEvent> after(long position) {
            throw new UnsupportedOperationException();
        }
    }

    /** Returns at the interrupt, which then affects the work after it. */
    private static final class Interrupted implements Tail {

        @Override
        public long await(long after, Duration longest) {
            try {
                Thread.sleep(longest);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
            return after;
        }

        @Override
        public List<RecordedEvent> after(long position) {
            throw new UnsupportedOperationException();
        }
    }
}
