package org.leasehold.saga.schedule;

import org.axonframework.config.ConfigurerModule;
import org.leasehold.saga.reaction.ReactionExecutor;
import org.leasehold.saga.reaction.StatelessSaga;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class ScheduleConfiguration {

    @Bean
    ConfigurerModule scheduleProcess(ReactionExecutor reactions) {
        return configurer ->
                configurer
                        .eventProcessing()
                        .registerEventHandler(_ -> new StatelessSaga(Schedule::react, reactions));
    }
}
