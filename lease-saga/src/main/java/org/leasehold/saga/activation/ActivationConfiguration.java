package org.leasehold.saga.activation;

import org.axonframework.config.ConfigurerModule;
import org.leasehold.lease.ReservationWish;
import org.leasehold.resource.Plugins;
import org.leasehold.saga.reaction.ReactionExecutor;
import org.leasehold.saga.reaction.StatelessSaga;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class ActivationConfiguration {

    @Bean
    ConfigurerModule activationProcess(ReactionExecutor reactions, Plugins plugins) {
        Activation activation = new Activation(wish -> preparesStart(plugins, wish));
        return configurer ->
                configurer
                        .eventProcessing()
                        .registerEventHandler(_ -> new StatelessSaga(activation::react, reactions));
    }

    private static boolean preparesStart(Plugins plugins, ReservationWish wish) {
        return plugins.find(wish.kind())
                .filter(plugin -> plugin.planning().preparesStart(wish.parameters()))
                .isPresent();
    }
}
