package org.leasehold.query.subscription;

import org.leasehold.readmodel.calendar.CalendarFeeds;
import org.leasehold.readmodel.subscription.SubscriptionChanges;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

@Configuration(proxyBeanMethods = false)
class SubscriptionConfiguration {

    @Bean
    SubscriptionChangeRecorder subscriptionTrail(JdbcClient jdbc) {
        return new SubscriptionChangeRecorder(jdbc);
    }

    @Bean
    SubscriptionChanges subscriptionChanges(JdbcClient jdbc) {
        return new PostgresSubscriptionChanges(jdbc);
    }

    @Bean
    CalendarFeeds calendarFeeds(
            JdbcClient jdbc,
            PlatformTransactionManager transactions,
            SubscriptionChangeRecorder trail) {
        return new PostgresCalendarFeeds(jdbc, new TransactionTemplate(transactions), trail);
    }
}
