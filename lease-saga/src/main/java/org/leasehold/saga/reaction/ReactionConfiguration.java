package org.leasehold.saga.reaction;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.PropertyAccessor;

import org.axonframework.common.jdbc.ConnectionProvider;
import org.axonframework.eventhandling.tokenstore.TokenStore;
import org.axonframework.eventhandling.tokenstore.jdbc.JdbcTokenStore;
import org.axonframework.eventhandling.tokenstore.jdbc.TokenSchema;
import org.axonframework.modelling.saga.repository.SagaStore;
import org.axonframework.modelling.saga.repository.jdbc.JdbcSagaStore;
import org.axonframework.modelling.saga.repository.jdbc.PostgresSagaSqlSchema;
import org.axonframework.modelling.saga.repository.jdbc.SagaSchema;
import org.axonframework.serialization.Serializer;
import org.axonframework.serialization.jackson3.Jackson3Serializer;
import org.leasehold.saga.SagaSettings;
import org.leasehold.saga.node.Node;
import org.leasehold.saga.node.NodeRegistry;
import org.leasehold.saga.task.TaskQueue;
import org.leasehold.saga.timer.Timers;
import org.leasehold.saga.waiting.WaitingLeases;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import java.time.Duration;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(SagaSettings.class)
class ReactionConfiguration {

    /** With a shorter timeout a busy node loses segments that it still works on. */
    private static final Duration CLAIM_TIMEOUT = Duration.ofSeconds(10);

    @Bean
    ReactionExecutor reactions(
            Timers timers, TaskQueue tasks, WaitingLeases waits, SagaSettings settings) {
        return new ReactionExecutor(timers, tasks, waits, settings.replaceFailedAfter());
    }

    @Bean
    SagaProcessors processors(SagaStore<Object> sagaStore, NodeRegistry nodes) {
        return new SagaProcessors(sagaStore, nodes);
    }

    @Bean
    TokenStore tokenStore(ConnectionProvider connections, Node node) {
        return JdbcTokenStore.builder()
                .connectionProvider(connections)
                .schema(
                        TokenSchema.builder()
                                .setTokenTable("token_entry")
                                .setProcessorNameColumn("processor_name")
                                .setTokenTypeColumn("token_type")
                                .build())
                .serializer(serializer())
                .nodeId(node.name())
                .claimTimeout(CLAIM_TIMEOUT)
                .build();
    }

    @Bean
    SagaStore<Object> sagaStore(ConnectionProvider connections) {
        return JdbcSagaStore.builder()
                .connectionProvider(connections)
                .sqlSchema(
                        new PostgresSagaSqlSchema(
                                SagaSchema.builder()
                                        .sagaEntryTable("saga_entry")
                                        .sagaIdColumn("saga_id")
                                        .sagaTypeColumn("saga_type")
                                        .serializedSagaColumn("serialized_saga")
                                        .associationValueEntryTable("association_value_entry")
                                        .associationKeyColumn("association_key")
                                        .associationValueColumn("association_value")
                                        .build()))
                .serializer(serializer())
                .build();
    }

    private static Serializer serializer() {
        return Jackson3Serializer.builder()
                .jsonMapperBuilderCustomizer(
                        mapper ->
                                mapper.changeDefaultVisibility(
                                        visibility ->
                                                visibility.withVisibility(
                                                        PropertyAccessor.FIELD,
                                                        JsonAutoDetect.Visibility.ANY)))
                .build();
    }
}
