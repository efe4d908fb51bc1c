package org.leasehold.runtime.node;

import org.axonframework.commandhandling.CommandBus;
import org.axonframework.common.jdbc.ConnectionProvider;
import org.axonframework.common.jdbc.DataSourceConnectionProvider;
import org.axonframework.common.transaction.TransactionManager;
import org.axonframework.config.Configurer;
import org.axonframework.config.ConfigurerModule;
import org.axonframework.config.DefaultConfigurer;
import org.axonframework.eventhandling.tokenstore.TokenStore;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.messaging.annotation.ClasspathParameterResolverFactory;
import org.axonframework.messaging.annotation.FixedValueParameterResolver;
import org.axonframework.messaging.annotation.MultiParameterResolverFactory;
import org.axonframework.messaging.annotation.ParameterResolverFactory;
import org.axonframework.serialization.Serializer;
import org.axonframework.serialization.jackson3.Jackson3Serializer;
import org.leasehold.saga.node.Node;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;

import java.util.List;

import javax.sql.DataSource;

/**
 * Axon without its starter. The starter finds Spring Boot 4's transactions only by accident, and
 * continues silently without them. This class names every part; none is Axon's default.
 */
@Configuration(proxyBeanMethods = false)
class AxonConfiguration {

    /** Returns connections that write Axon's tables in the transaction of the processed events. */
    @Bean
    ConnectionProvider axonConnections(DataSource dataSource) {
        return new DataSourceConnectionProvider(new TransactionAwareDataSourceProxy(dataSource));
    }

    @Bean
    org.axonframework.config.Configuration axon(
            CommandBus commands,
            EventStore events,
            TransactionManager transactions,
            TokenStore tokens,
            @Qualifier("eventSerializer") Serializer eventSerializer,
            List<ConfigurerModule> processes,
            BeanFactory beans) {
        Configurer configurer =
                DefaultConfigurer.defaultConfiguration(false)
                        .configureTransactionManager(ignored -> transactions)
                        .configureCommandBus(ignored -> commands)
                        .configureEventBus(ignored -> events)
                        .configureSerializer(ignored -> Jackson3Serializer.builder().build())
                        .configureEventSerializer(ignored -> eventSerializer)
                        .configureCorrelationDataProviders(ignored -> List.of())
                        .registerComponent(
                                ParameterResolverFactory.class, ignored -> parameters(beans));
        configurer.eventProcessing().registerTokenStore(ignored -> tokens);
        processes.forEach(process -> process.configureModule(configurer));
        return configurer.buildConfiguration();
    }

    @Bean
    AxonLifecycle axonLifecycle(org.axonframework.config.Configuration axon, Node node) {
        return new AxonLifecycle(axon, node);
    }

    @Bean
    EventProcessorRecovery recovery(
            org.axonframework.config.Configuration axon, TokenStore tokens) {
        return new EventProcessorRecovery(axon.eventProcessingConfiguration(), tokens);
    }

    /** Resolves the parameters of handlers: from the message, otherwise from a bean. */
    private static ParameterResolverFactory parameters(BeanFactory beans) {
        return MultiParameterResolverFactory.ordered(
                ClasspathParameterResolverFactory.forClass(AxonConfiguration.class),
                (method, parameters, index) -> {
                    Object bean = beans.getBeanProvider(parameters[index].getType()).getIfUnique();
                    return bean == null ? null : new FixedValueParameterResolver<>(bean);
                });
    }
}
