package org.leasehold.query.audit;

import org.leasehold.query.projection.Projection;
import org.leasehold.query.projection.RebuildableProjection;
import org.leasehold.query.rebuild.Rebuildable;
import org.leasehold.readmodel.audit.AuditTrail;
import org.leasehold.readmodel.event.EventLogPositions;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

import javax.sql.DataSource;

@Configuration(proxyBeanMethods = false)
class AuditTrailConfiguration {

    @Bean
    Projection auditSubjects(DataSource dataSource) {
        return new AuditSubjectProjection(new JdbcTemplate(dataSource));
    }

    @Bean
    AuditTrail auditTrail(JdbcClient jdbc, EventLogPositions positions) {
        return new PostgresAuditTrail(jdbc, positions);
    }

    @Bean
    Rebuildable rebuildableAuditSubjects(DataSource dataSource) {
        JdbcTemplate jdbc = new JdbcTemplate(dataSource);
        return new RebuildableProjection(jdbc, new AuditSubjectProjection(jdbc));
    }
}
