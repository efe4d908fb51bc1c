package org.leasehold.query.rebuild;

import org.leasehold.history.EventLog;
import org.leasehold.readmodel.event.EventLogPositions;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.PlatformTransactionManager;

import java.time.Clock;
import java.util.List;

import javax.sql.DataSource;

@Configuration(proxyBeanMethods = false)
class RebuildConfiguration {

    @Bean
    RebuildRunner readModels(
            List<Rebuildable> readModels,
            DataSource dataSource,
            PlatformTransactionManager transactions,
            EventLog log,
            EventLogPositions positions,
            Clock clock) {
        return new RebuildRunner(
                readModels, new Rebuild(dataSource, transactions, log), positions, clock);
    }
}
