package org.leasehold.publishing.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.publishing.Publication;
import org.leasehold.readmodel.usage.Metering;
import org.leasehold.readmodel.usage.UsageRecord;
import org.leasehold.vocabulary.LeaseId;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;

class ReadingsPublicationTest {

    private static final String THREAD = "publication-" + KafkaConfiguration.USAGE_READINGS;

    /** A publication whose thread has ended. */
    private static final class Ended implements Publication {

        @Override
        public String name() {
            return KafkaConfiguration.USAGE_READINGS;
        }

        @Override
        public long offset() {
            return 0;
        }

        @Override
        public boolean isFailing() {
            return false;
        }

        @Override
        public Set<String> endedThreads() {
            return Set.of(THREAD);
        }

        @Override
        public void start() {}

        @Override
        public void stop(Duration within) {}
    }

    /** Meters that are never read. */
    private static final class UnreadMeters implements Metering {

        @Override
        public List<UsageRecord> usageOfEvents(
                Collection<LeaseId> leases, long after, long through) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void recordReading(Instant at) {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<Reading> readings(Instant after, int limit) {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<LeaseId> runningLeases(Reading reading) {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<UsageRecord> usageOfReading(Reading reading, Collection<LeaseId> leases) {
            throw new UnsupportedOperationException();
        }
    }

    @Test
    void a_readings_publication_reports_an_ended_thread() {
        ReadingsFeed feed =
                new ReadingsFeed(new UnreadMeters(), Clock.systemUTC(), Duration.ofHours(1));

        assertThat(new ReadingsPublication(new Ended(), feed).endedThreads())
                .containsExactly(THREAD);
    }
}
