package org.leasehold.publishing.kafka;

import org.leasehold.publishing.ChildProcess;
import org.leasehold.publishing.PublicationOwnership;
import org.leasehold.publishing.Publisher;
import org.leasehold.readmodel.event.EventFeed;
import org.leasehold.readmodel.operation.ProjectionOffsets;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

import javax.sql.DataSource;

/** A publisher in its own process, which can be killed. */
final class PublishingProcess {

    private PublishingProcess() {}

    static Process start(String database, String brokers, String topic) throws IOException {
        return ChildProcess.start(PublishingProcess.class, database, brokers, topic);
    }

    /** Publishes until it is killed. */
    public static void main(String[] words) throws InterruptedException {
        DataSource database = new DriverManagerDataSource(words[0]);
        JdbcClient jdbc = JdbcClient.create(database);
        try (AnnotationConfigApplicationContext readSide =
                new AnnotationConfigApplicationContext()) {
            readSide.registerBean(DataSource.class, () -> database);
            readSide.registerBean(JdbcClient.class, () -> jdbc);
            readSide.scan("org.leasehold.query.entry");
            readSide.refresh();
            KafkaSettings settings =
                    new KafkaSettings(words[1], words[2], "", "", Duration.ofHours(1), Map.of());
            Publisher publisher =
                    new Publisher(
                            new PublicationOwnership(jdbc, KafkaConfiguration.EVENTS, "process"),
                            readSide.getBean(EventFeed.class),
                            new ShortWaits(),
                            KafkaConfiguration.ALL_EVENTS,
                            () ->
                                    KafkaConnection.ofEvents(
                                            settings,
                                            new EventRecordMapper(
                                                    words[2], KafkaFixture.DOCUMENTS)));
            publisher.start();
            while (publisher.endedThreads().isEmpty()) {
                Thread.sleep(100);
            }
        }
    }

    /** Polls the present state again and again. */
    private static final class ShortWaits implements ProjectionOffsets {

        @Override
        public Set<String> names() {
            return Set.of(EventFeed.READ_MODEL);
        }

        @Override
        public long position(String name) {
            return 0;
        }

        @Override
        public long await(String name, long position, Duration longest)
                throws InterruptedException {
            Thread.sleep(20);
            return position;
        }
    }
}
