package org.leasehold.saga.retry;

import org.axonframework.common.Registration;
import org.axonframework.config.ConfigurerModule;
import org.axonframework.eventhandling.EventBus;
import org.leasehold.history.DerivedRows;
import org.leasehold.history.EventStreams;
import org.leasehold.history.RecordedEvent;
import org.leasehold.resource.Plugins;
import org.leasehold.saga.SagaSettings;
import org.leasehold.saga.timer.Timers;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;

import java.util.Collection;
import java.util.List;
import java.util.Objects;

import javax.sql.DataSource;

@Configuration(proxyBeanMethods = false)
class RetryConfiguration {

    @Bean
    RetriedRequests retriedRequests(DataSource dataSource) {
        return new PostgresRetriedRequests(new JdbcTemplate(dataSource));
    }

    /** Subscribes the registration: the bus calls it in the command's transaction. */
    @Bean(destroyMethod = "cancel")
    Registration retryRegistration(
            EventBus events, RetriedRequests requests, SagaSettings settings) {
        return settings.maxEarlyAttempts() == 0
                ? () -> true
                : events.subscribe(new RetryRegistration(requests));
    }

    @Bean
    ConfigurerModule earlyAttempts(
            RetriedRequests requests,
            Timers timers,
            EventStreams streams,
            DataSource dataSource,
            Plugins plugins,
            SagaSettings settings) {
        JdbcTemplate jdbc = new JdbcTemplate(dataSource);
        return new EarlyAttempts(
                        requests,
                        timers,
                        names -> read(streams, names, jdbc),
                        new ReservedKinds(plugins),
                        settings.maxEarlyAttempts())
                .module();
    }

    private static List<RecordedEvent> read(
            EventStreams streams, Collection<String> names, JdbcTemplate jdbc) {
        return Objects.requireNonNull(
                jdbc.execute(
                        (ConnectionCallback<List<RecordedEvent>>)
                                connection -> streams.read(connection, names, Long.MAX_VALUE)));
    }

    @Bean
    DerivedRows retriedRequestRows() {
        return new RetriedRequestRows();
    }
}
