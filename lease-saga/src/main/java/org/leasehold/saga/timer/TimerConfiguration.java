package org.leasehold.saga.timer;

import org.leasehold.command.Commands;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.saga.SagaSettings;
import org.leasehold.saga.node.Node;
import org.leasehold.saga.scheduler.StoredJson;
import org.leasehold.saga.scheduler.TimerBacklog;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

import java.time.Clock;
import java.time.Duration;

import javax.sql.DataSource;

@Configuration(proxyBeanMethods = false)
class TimerConfiguration {

    private static final StoredJson JSON = new StoredJson(LeaseCommand.class);

    @Bean
    TimerTable timerTable(DataSource dataSource) {
        return new PostgresTimerTable(new JdbcTemplate(dataSource), JSON);
    }

    @Bean
    TimerBacklog rush() {
        return new TimerBacklog(Duration.ofSeconds(10));
    }

    @Bean
    TimerLoop timerLoop(
            TimerTable table,
            Commands commands,
            Clock clock,
            SagaSettings settings,
            Node node,
            TimerBacklog rush,
            ObjectProvider<LatenessListener> lateness) {
        return new TimerLoop(
                table,
                new TimerCommandSender(
                        commands, clock, lateness.getIfAvailable(() -> LatenessListener.NONE)),
                clock,
                new TimerLoop.Pace(
                        settings.timerThreads(), settings.polling(), settings.stopWithin()),
                node,
                rush);
    }

    @Bean
    Timers timers(TimerTable table, TimerLoop loop) {
        return new PostgresTimers(table, loop);
    }
}
