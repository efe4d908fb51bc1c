package org.leasehold.runtime.verify;

import org.leasehold.history.ConsistencyCheck;
import org.leasehold.history.DerivedRows;
import org.leasehold.history.EventLog;
import org.leasehold.history.Invariant;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import java.util.List;

import javax.sql.DataSource;

@Configuration(proxyBeanMethods = false)
class VerificationConfiguration {

    @Bean
    Verification verification(
            DataSource dataSource,
            EventLog log,
            List<DerivedRows> tables,
            List<Invariant> invariants,
            List<ConsistencyCheck> inspections) {
        return new Verification(dataSource, log, tables, invariants, inspections);
    }
}
