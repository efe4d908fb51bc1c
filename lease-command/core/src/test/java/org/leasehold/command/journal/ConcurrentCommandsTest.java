package org.leasehold.command.journal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.command.Commands;
import org.leasehold.command.Outcome;
import org.leasehold.command.Outcome.Accepted;
import org.leasehold.command.Outcome.Rejected;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.lease.LeaseRejection.LeaseExists;
import org.leasehold.vocabulary.LeaseId;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

/** The commands that two nodes decide at the same time. */
class ConcurrentCommandsTest extends JournalFixture {

    @Test
    void a_command_that_loses_a_race_for_a_stream_is_retried() throws Exception {
        send(EventSamples.creation(lease));
        List<Callable<Outcome<LeaseRejection>>> requests = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            Commands target = i % 2 == 0 ? commands : elsewhere;
            requests.add(() -> target.send(rename("n"), context(null)));
        }
        assertThat(atOnce(requests)).allMatch(Accepted.class::isInstance);
        assertThat(events(lease).stream().skip(1))
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, 12)
                                .<LeaseEvent>mapToObj(
                                        i -> new LeaseEvent.LeaseRenamed(lease, "n " + i))
                                .toList());
    }

    @Test
    void only_one_concurrent_creation_of_a_lease_is_accepted() throws Exception {
        List<Callable<Outcome<LeaseRejection>>> requests =
                List.of(
                        () -> commands.send(EventSamples.creation(lease), context(null)),
                        () -> elsewhere.send(EventSamples.creation(lease), context(null)),
                        () -> commands.send(EventSamples.creation(lease), context(null)));
        assertThat(atOnce(requests))
                .filteredOn(Rejected.class::isInstance)
                .hasSize(2)
                .containsOnly(new Rejected<>(new LeaseExists(lease)));
    }

    @Test
    void a_concurrent_reader_of_the_event_log_gets_every_event() throws Exception {
        int writers = 32;
        int each = 40;
        long before = engine.head();
        AtomicBoolean done = new AtomicBoolean();
        List<Long> seen = new ArrayList<>();
        try (ExecutorService pool = Executors.newCachedThreadPool()) {
            Future<?> reader =
                    pool.submit(
                            () -> {
                                long last = before;
                                boolean finished = false;
                                while (!finished) {
                                    finished = done.get();
                                    for (long position : stored(last)) {
                                        seen.add(position);
                                        last = position;
                                    }
                                }
                            });
            List<Future<?>> all = new ArrayList<>();
            for (int w = 0; w < writers; w++) {
                Commands target = w % 2 == 0 ? commands : elsewhere;
                all.add(
                        pool.submit(
                                () -> {
                                    for (int i = 0; i < each; i++) {
                                        target.send(
                                                EventSamples.creation(
                                                        new LeaseId(UUID.randomUUID())),
                                                context(null));
                                    }
                                }));
            }
            for (Future<?> writer : all) {
                writer.get(2, TimeUnit.MINUTES);
            }
            done.set(true);
            reader.get(1, TimeUnit.MINUTES);
        }
        assertThat(seen).hasSize(writers * each).isEqualTo(stored(before));
    }
}
