package org.leasehold.command.lease;

import org.leasehold.command.calendar.Calendar;
import org.leasehold.command.journal.AggregateShell;
import org.leasehold.resource.Plugins;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import java.util.List;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(LeaseSettings.class)
class LeaseConfiguration {

    @Bean
    LeaseDecider leaseDecider(Plugins plugins, LeaseSettings settings) {
        return new LeaseDecider(plugins, settings);
    }

    @Bean
    AggregateShell<LeaseAggregate> leaseShell(LeaseDecider decider, Calendar calendar) {
        return new AggregateShell<>(
                LeaseAggregate.class, LeaseAggregate::new, List.of(decider, calendar));
    }
}
