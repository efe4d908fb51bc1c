package org.leasehold.command.lease;

import org.axonframework.common.Registration;
import org.axonframework.eventhandling.EventBus;
import org.leasehold.command.calendar.Calendar;
import org.leasehold.command.count.LeaseCounts;
import org.leasehold.command.count.StoredLeaseCounts;
import org.leasehold.command.execution.AggregateDefinition;
import org.leasehold.lease.LeaseLimits;
import org.leasehold.resource.Plugins;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

import java.util.List;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(LeaseSettings.class)
class LeaseConfiguration {

    @Bean
    LeaseDecider leaseDecider(Plugins plugins, LeaseSettings settings) {
        return new LeaseDecider(plugins, settings);
    }

    @Bean
    LeaseLimits leaseLimits(LeaseSettings settings) {
        return new LeaseLimits(settings.maxReservations(), settings.mostPerProject());
    }

    @Bean
    StoredLeaseCounts leaseCounts(JdbcTemplate jdbc, LeaseSettings settings) {
        return new StoredLeaseCounts(
                jdbc, settings.mostPerProject(), settings.retry().maxPerProject());
    }

    /** Subscribes the counts: the bus calls them in the command's transaction, after the append. */
    @Bean(destroyMethod = "cancel")
    Registration leaseCountRegistration(EventBus events, StoredLeaseCounts counts) {
        return events.subscribe(counts);
    }

    @Bean
    AggregateDefinition<LeaseAggregate> leaseShell(
            LeaseDecider decider, Calendar calendar, LeaseCounts counts) {
        return new AggregateDefinition<>(
                LeaseAggregate.class, LeaseAggregate::new, List.of(decider, calendar, counts));
    }
}
