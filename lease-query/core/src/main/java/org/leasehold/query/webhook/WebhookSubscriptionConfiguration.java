package org.leasehold.query.webhook;

import org.leasehold.query.subscription.SubscriptionChangeRecorder;
import org.leasehold.readmodel.subscription.Webhooks;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

@Configuration(proxyBeanMethods = false)
class WebhookSubscriptionConfiguration {

    @Bean
    Webhooks webhooks(
            JdbcClient jdbc,
            PlatformTransactionManager transactions,
            SubscriptionChangeRecorder trail) {
        return new PostgresWebhooks(jdbc, new TransactionTemplate(transactions), trail);
    }
}
