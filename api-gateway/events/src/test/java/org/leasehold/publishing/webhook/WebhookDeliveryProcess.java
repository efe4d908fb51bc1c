package org.leasehold.publishing.webhook;

import org.leasehold.publishing.ChildProcess;
import org.leasehold.publishing.Publication;
import org.leasehold.readmodel.event.EventFeed;
import org.leasehold.readmodel.operation.ProjectionOffsets;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Set;

import javax.sql.DataSource;

/** A node that delivers to webhooks in its own process, which can be killed. */
final class WebhookDeliveryProcess {

    private WebhookDeliveryProcess() {}

    static Process start(String database) throws IOException {
        return ChildProcess.start(WebhookDeliveryProcess.class, database);
    }

    /** Delivers until it is killed. */
    public static void main(String[] words) throws InterruptedException {
        DataSource database = new DriverManagerDataSource(words[0]);
        JdbcClient jdbc = JdbcClient.create(database);
        try (AnnotationConfigApplicationContext readSide =
                new AnnotationConfigApplicationContext()) {
            readSide.registerBean(DataSource.class, () -> database);
            readSide.registerBean(JdbcClient.class, () -> jdbc);
            readSide.scan("org.leasehold.query.entry");
            readSide.refresh();
            Publication deliveries =
                    WebhookFixture.node(
                                    jdbc,
                                    new DataSourceTransactionManager(database),
                                    readSide.getBean(EventFeed.class),
                                    new ShortWaits(),
                                    InetAddress::getAllByName,
                                    WebhookFixture.settings(),
                                    "process")
                            .deliveries();
            deliveries.start();
            while (deliveries.endedThreads().isEmpty()) {
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
