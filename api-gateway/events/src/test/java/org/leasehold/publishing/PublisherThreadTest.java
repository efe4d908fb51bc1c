package org.leasehold.publishing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.leasehold.readmodel.event.EventFeed.Audience;
import org.leasehold.readmodel.event.EventFeed.Entry;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** The thread of a publication survives every failure of a connection or the database. */
@Timeout(120)
class PublisherThreadTest {

    private static final String PUBLICATION = "kafka-events";
    private static final EventFilter EVERYTHING =
            new EventFilter(new Audience(null, true), Set.of(), 100);
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final EventFeedFixture readSide = new EventFeedFixture(PUBLICATION);
    private final AtomicInteger connections = new AtomicInteger();

    @BeforeEach
    void begin() {
        readSide.begin();
        readSide.database().append("Resource", "7", "ResourceEnabled", "{\"resourceId\": 7}", "{}");
        readSide.follow();
    }

    @AfterEach
    void stop() {
        readSide.close();
    }

    /** Connects; the first connection accepts nothing and cannot be closed, the next ones work. */
    private BrokerConnection connect() {
        return new FailingLine(connections.incrementAndGet() == 1);
    }

    private record FailingLine(boolean broken) implements BrokerConnection, InFlightBatch {

        @Override
        public InFlightBatch begin() {
            return this;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {
            if (broken) {
                throw new IllegalStateException("it cannot be closed");
            }
        }

        @Override
        public void send(Entry entry) {
            if (broken) {
                throw new IllegalStateException("it takes nothing");
            }
        }

        @Override
        public int await(Duration longest) {
            return 0;
        }

        @Override
        public long bytes() {
            return 0;
        }
    }

    @Test
    void a_publication_survives_a_connection_that_fails_to_close() throws InterruptedException {
        Publisher publisher =
                new Publisher(
                        readSide.ownership("a"),
                        readSide.feed(),
                        readSide.projections(),
                        EVERYTHING,
                        this::connect);

        publisher.start();
        EventFeedFixture.await(
                () ->
                        !publisher.endedThreads().isEmpty()
                                || readSide.published() == readSide.database().head(),
                TIMEOUT);

        assertThat(publisher.endedThreads()).isEmpty();
        assertThat(connections).hasValueGreaterThan(1);
        publisher.stop(TIMEOUT);
    }
}
