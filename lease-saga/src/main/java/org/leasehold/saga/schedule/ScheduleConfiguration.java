package org.leasehold.saga.schedule;

import org.axonframework.config.ConfigurerModule;
import org.leasehold.saga.reaction.LeaseProcess;
import org.leasehold.saga.reaction.Reactions;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class ScheduleConfiguration {

    @Bean
    ConfigurerModule scheduleProcess(Reactions reactions) {
        return configurer ->
                configurer
                        .eventProcessing()
                        .registerEventHandler(_ -> new LeaseProcess(Schedule::react, reactions));
    }
}
