package org.leasehold.runtime.epoch;

import org.leasehold.command.epoch.EpochTable;
import org.leasehold.command.epoch.LostEventCheck;
import org.leasehold.history.ConsistencyCheck;
import org.leasehold.runtime.database.DatabaseSettings;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionOperations;

import javax.sql.DataSource;

/** The check for lost events. The verify command uses it, too, and has no other beans. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(EpochSettings.class)
class EpochVerificationConfiguration {

    @Bean
    ConsistencyCheck lostEventInspection(
            DataSource dataSource, EpochSettings settings, DatabaseSettings database) {
        return new LostEventCheck(
                new EpochTable(
                        JdbcClient.create(dataSource), TransactionOperations.withoutTransaction()),
                EpochConfiguration.file(settings, database));
    }
}
