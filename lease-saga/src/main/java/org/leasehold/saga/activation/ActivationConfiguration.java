package org.leasehold.saga.activation;

import org.axonframework.config.ConfigurerModule;
import org.leasehold.saga.reaction.LeaseProcess;
import org.leasehold.saga.reaction.Reactions;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class ActivationConfiguration {

    @Bean
    ConfigurerModule activationProcess(Reactions reactions) {
        return configurer ->
                configurer
                        .eventProcessing()
                        .registerEventHandler(_ -> new LeaseProcess(Activation::react, reactions));
    }
}
