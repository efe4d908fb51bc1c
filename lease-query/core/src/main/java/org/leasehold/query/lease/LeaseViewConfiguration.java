package org.leasehold.query.lease;

import org.axonframework.common.Registration;
import org.axonframework.eventhandling.EventBus;
import org.leasehold.history.EventStreams;
import org.leasehold.query.rebuild.Rebuildable;
import org.leasehold.readmodel.event.EventLogPositions;
import org.leasehold.readmodel.lease.Leases;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

import tools.jackson.databind.json.JsonMapper;

import javax.sql.DataSource;

@Configuration(proxyBeanMethods = false)
class LeaseViewConfiguration {

    @Bean
    LeaseViewCodec leaseViewCodec(@Qualifier("eventMapper") JsonMapper mapper) {
        return new LeaseViewCodec(mapper);
    }

    @Bean
    ReadYourWritesCache justWrittenLeases() {
        return new ReadYourWritesCache();
    }

    @Bean
    LeaseEventSubscriber leaseSubscription(
            DataSource dataSource, LeaseViewCodec codec, ReadYourWritesCache justWritten) {
        return new LeaseEventSubscriber(
                new LeaseTable(new JdbcTemplate(dataSource), codec, "lease"), justWritten);
    }

    /** Subscribes to the bus, which calls in the command's transaction after the append. */
    @Bean(destroyMethod = "cancel")
    Registration leaseRegistration(EventBus events, LeaseEventSubscriber subscription) {
        return events.subscribe(subscription);
    }

    @Bean
    Leases leases(
            DataSource dataSource,
            LeaseViewCodec codec,
            ReadYourWritesCache justWritten,
            @Qualifier("eventMapper") JsonMapper mapper,
            EventStreams streams) {
        JdbcTemplate jdbc = new JdbcTemplate(dataSource);
        return new PostgresLeases(
                jdbc, codec, justWritten, new LeaseHistory(jdbc, mapper), streams);
    }

    @Bean
    EventLogPositions positions(JdbcClient jdbc) {
        return new PostgresEventLogPositions(jdbc);
    }

    @Bean
    Rebuildable rebuildableLeases(DataSource dataSource, LeaseViewCodec codec) {
        return new RebuildableLeases(new JdbcTemplate(dataSource), codec);
    }
}
