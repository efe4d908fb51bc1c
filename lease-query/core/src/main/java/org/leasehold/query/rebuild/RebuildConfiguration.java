package org.leasehold.query.rebuild;

import org.leasehold.history.EventLog;
import org.leasehold.query.Positions;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.PlatformTransactionManager;

import java.time.Clock;
import java.util.List;

import javax.sql.DataSource;

@Configuration(proxyBeanMethods = false)
class RebuildConfiguration {

    @Bean
    Rebuilds readModels(
            List<Rebuildable> readModels,
            DataSource dataSource,
            PlatformTransactionManager transactions,
            EventLog log,
            Positions positions,
            Clock clock) {
        return new Rebuilds(
                readModels, new Rebuild(dataSource, transactions, log), positions, clock);
    }
}
