package org.leasehold.saga.node;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

@Configuration(proxyBeanMethods = false)
class NodeRegistryConfiguration {

    @Bean
    NodeRegistry nodes(Node node, JdbcClient jdbc, PlatformTransactionManager transactions) {
        return new NodeRegistry(node, jdbc, new TransactionTemplate(transactions));
    }
}
