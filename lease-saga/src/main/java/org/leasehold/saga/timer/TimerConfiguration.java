package org.leasehold.saga.timer;

import org.leasehold.command.Commands;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.saga.SagaSettings;
import org.leasehold.saga.node.Node;
import org.leasehold.saga.scheduler.DurableScheduler;
import org.leasehold.saga.scheduler.PickedRows;
import org.leasehold.saga.scheduler.StoredJson;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.time.Clock;

import javax.sql.DataSource;

@Configuration(proxyBeanMethods = false)
class TimerConfiguration {

    private static final String TABLE = "timer";
    private static final StoredJson JSON = new StoredJson(LeaseCommand.class);

    @Bean
    DurableScheduler timerScheduler(
            DataSource dataSource,
            Commands commands,
            Clock clock,
            SagaSettings settings,
            Node node,
            ObjectProvider<LatenessListener> lateness) {
        Firing firing =
                new Firing(commands, clock, lateness.getIfAvailable(() -> LatenessListener.NONE));
        PickedRows rows = new PickedRows(JdbcClient.create(dataSource), TABLE);
        return new DurableScheduler(
                dataSource,
                JSON,
                clock,
                new DurableScheduler.Table(
                        TABLE,
                        new TimerTask(firing, rows, clock).task(),
                        settings.timerThreads(),
                        4,
                        true,
                        settings.polling(),
                        settings.stopWithin()),
                node);
    }

    @Bean
    Timers timers(DataSource dataSource, DurableScheduler timerScheduler) {
        return new PostgresTimers(new JdbcTemplate(dataSource), JSON, timerScheduler);
    }
}
