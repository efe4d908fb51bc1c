package org.leasehold.publishing.webhook;

import org.leasehold.publishing.OwnProcess;
import org.leasehold.query.Feed;
import org.leasehold.query.Projections;
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
final class HookProcess {

    private HookProcess() {}

    static Process start(String database) throws IOException {
        return OwnProcess.start(HookProcess.class, database);
    }

    /** Delivers until it is killed. */
    public static void main(String[] words) {
        DataSource database = new DriverManagerDataSource(words[0]);
        JdbcClient jdbc = JdbcClient.create(database);
        try (AnnotationConfigApplicationContext readSide =
                new AnnotationConfigApplicationContext()) {
            readSide.registerBean(DataSource.class, () -> database);
            readSide.registerBean(JdbcClient.class, () -> jdbc);
            readSide.scan("org.leasehold.query.entry");
            readSide.refresh();
            Office.node(
                            jdbc,
                            new DataSourceTransactionManager(database),
                            readSide.getBean(Feed.class),
                            new ShortWaits(),
                            InetAddress::getAllByName,
                            Office.settings(),
                            "process")
                    .deliveries()
                    .run();
        }
    }

    /** Polls the present state again and again. */
    private static final class ShortWaits implements Projections {

        @Override
        public Set<String> names() {
            return Set.of(Feed.STANDS_ON);
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
