package org.leasehold.saga.leasetag;

import org.leasehold.command.Commands;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.resource.Plugins;
import org.leasehold.saga.SagaSettings;
import org.leasehold.saga.node.Node;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.time.Clock;

import javax.sql.DataSource;

@Configuration(proxyBeanMethods = false)
class LeaseTagConfiguration {

    @Bean
    OpenLeaseTags openLeaseTags(DataSource dataSource, Leases leases, SagaSettings settings) {
        return new OpenLeaseTags(JdbcClient.create(dataSource), leases, settings::petitions);
    }

    @Bean
    LeaseTagPoller leaseTagPoller(
            Plugins plugins,
            Leases leases,
            Commands commands,
            DataSource dataSource,
            SagaSettings settings,
            Clock clock,
            Node node) {
        return new LeaseTagPoller(
                plugins,
                new LeaseTagHandler(leases, commands, clock),
                new LeaseTagTable(JdbcClient.create(dataSource)),
                clock,
                () -> settings.petitions() && node.works());
    }
}
