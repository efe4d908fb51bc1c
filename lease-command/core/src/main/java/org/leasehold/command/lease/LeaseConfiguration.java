package org.leasehold.command.lease;

import org.leasehold.command.calendar.Calendar;
import org.leasehold.command.journal.AggregateShell;
import org.leasehold.resource.Plugins;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import java.util.List;

@Configuration(proxyBeanMethods = false)
class LeaseConfiguration {

    @Bean
    LeaseDecider leaseDecider(Plugins plugins) {
        return new LeaseDecider(plugins);
    }

    @Bean
    AggregateShell<LeaseAggregate> leaseShell(LeaseDecider decider, Calendar calendar) {
        return new AggregateShell<>(
                LeaseAggregate.class, LeaseAggregate::new, List.of(decider, calendar));
    }
}
