package org.leasehold.publishing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.leasehold.query.Feed.Audience;
import org.leasehold.query.Feed.Entry;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** The thread of a publication survives every failure of a connection or the database. */
@Timeout(120)
class PublisherThreadTest {

    private static final String PUBLICATION = "kafka-events";
    private static final Choice EVERYTHING = new Choice(new Audience(null, true), Set.of(), 100);
    private static final Duration SOON = Duration.ofSeconds(30);

    private final ReadSide readSide = new ReadSide(PUBLICATION);
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
    private Line connect() {
        return new FailingLine(connections.incrementAndGet() == 1);
    }

    private record FailingLine(boolean broken) implements Line, Flight {

        @Override
        public Flight begin() {
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
    void a_connection_that_cannot_be_closed_does_not_end_a_publication()
            throws InterruptedException {
        Publisher publisher =
                new Publisher(
                        readSide.place("a"),
                        readSide.feed(),
                        readSide.projections(),
                        EVERYTHING,
                        this::connect);

        publisher.start();
        ReadSide.await(
                () -> publisher.hasEnded() || readSide.published() == readSide.database().head(),
                SOON);

        assertThat(publisher.hasEnded()).isFalse();
        assertThat(connections).hasValueGreaterThan(1);
        publisher.stop(SOON);
    }
}
