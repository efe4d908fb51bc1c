package org.leasehold.command.epoch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.leasehold.history.EventLogTail;
import org.leasehold.history.RecordedEvent;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The file of the last event, while the engine runs. */
@Timeout(60)
class LastEventWriterTest {

    private final EpochDatabase database = new EpochDatabase();
    private final CompletableFuture<LastEvent> lost = new CompletableFuture<>();
    private LastEventFile file;
    private LastEventWriter keeper;

    @BeforeEach
    void start(@TempDir Path folder) {
        file = new LastEventFile(folder.resolve("last-event"));
        keeper = new LastEventWriter(database.table(), file, new Polled(), lost::complete);
        keeper.start();
    }

    @AfterEach
    void close() {
        keeper.stop();
        database.close();
    }

    @Test
    void the_writer_stores_the_last_event_in_the_file() throws Exception {
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
        LastEventWriter interrupted =
                new LastEventWriter(database.table(), file, new Interrupted(), lost::complete);
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
    void a_stopped_thread_is_not_reported_as_ended() {
        assertThat(keeper.endedThreads()).isEmpty();
        keeper.stop();

        assertThat(keeper.endedThreads()).isEmpty();
    }

    private void await(LastEvent last) throws IOException, InterruptedException {
        while (!file.read().equals(Optional.of(last))) {
            Thread.sleep(10);
        }
    }

    /** Returns at once, so that each round queries the database. */
    private static final class Polled implements EventLogTail {

        @Override
        public long awaitEventAfter(long after, Duration longest) {
            return after;
        }

        @Override
        public List<RecordedEvent> readAfter(long position) {
            throw new UnsupportedOperationException();
        }
    }

    /** Returns at the interrupt, which then affects the work after it. */
    private static final class Interrupted implements EventLogTail {

        @Override
        public long awaitEventAfter(long after, Duration longest) {
            try {
                Thread.sleep(longest);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
            return after;
        }

        @Override
        public List<RecordedEvent> readAfter(long position) {
            throw new UnsupportedOperationException();
        }
    }
}
