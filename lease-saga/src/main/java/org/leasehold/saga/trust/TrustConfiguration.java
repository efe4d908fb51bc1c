package org.leasehold.saga.trust;

import org.leasehold.readmodel.lease.Leases;
import org.leasehold.resource.identity.Trusts;
import org.leasehold.saga.node.Node;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.time.Clock;

import javax.sql.DataSource;

@Configuration(proxyBeanMethods = false)
class TrustConfiguration {

    @Bean
    TrustTable trustTable(DataSource dataSource) {
        return new TrustTable(JdbcClient.create(dataSource));
    }

    @Bean
    OrphanedTrusts orphanedTrusts(
            TrustTable trustTable, Leases leases, ObjectProvider<Trusts> trusts, Clock clock) {
        return new TrustComparison(trustTable, leases, trusts.getIfAvailable(), clock);
    }

    @Bean
    TrustSweep trustSweep(
            TrustTable trustTable,
            Leases leases,
            ObjectProvider<Trusts> trusts,
            Clock clock,
            Node node) {
        return new TrustSweep(trustTable, leases, trusts.getIfAvailable(), clock, node);
    }
}
