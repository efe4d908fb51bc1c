package org.leasehold.query.seal;

import org.leasehold.query.projection.Projection;
import org.leasehold.readmodel.audit.AuditExport;
import org.leasehold.readmodel.audit.SignedHeads;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;

import java.time.Clock;

import javax.sql.DataSource;

@Configuration(proxyBeanMethods = false)
class SealConfiguration {

    @Bean
    Projection seals(DataSource dataSource) {
        return new Sealer(new JdbcTemplate(dataSource));
    }

    @Bean
    SignedHeads signedHeads(JdbcClient jdbc) {
        return new PostgresSignedHeads(jdbc);
    }

    @Bean
    AuditExport auditExport(JdbcClient jdbc, SignedHeads signedHeads) {
        return new PostgresAuditExport(jdbc, signedHeads);
    }

    @Bean
    HeadSigner heads(
            DataSource dataSource,
            PlatformTransactionManager transactions,
            ObjectProvider<SigningKeys> keys,
            Clock clock) {
        return new HeadSigner(
                dataSource,
                transactions,
                keys.getIfAvailable(() -> new SigningKeys(null, null)),
                clock);
    }
}
