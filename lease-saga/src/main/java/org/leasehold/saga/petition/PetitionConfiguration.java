package org.leasehold.saga.petition;

import org.leasehold.command.Commands;
import org.leasehold.query.Leases;
import org.leasehold.resource.Plugins;
import org.leasehold.saga.SagaSettings;
import org.leasehold.saga.node.Node;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.time.Clock;

import javax.sql.DataSource;

@Configuration(proxyBeanMethods = false)
class PetitionConfiguration {

    @Bean
    PetitionWatch petitionWatch(
            Plugins plugins,
            Leases leases,
            Commands commands,
            DataSource dataSource,
            SagaSettings settings,
            Clock clock,
            Node node) {
        return new PetitionWatch(
                plugins,
                new Hearing(leases, commands, clock),
                new PetitionTable(JdbcClient.create(dataSource)),
                clock,
                () -> settings.petitions() && node.works());
    }
}
