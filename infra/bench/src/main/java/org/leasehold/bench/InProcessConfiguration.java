package org.leasehold.bench;

import org.leasehold.command.Commands;
import org.leasehold.query.Availability;
import org.leasehold.query.Leases;
import org.leasehold.query.Positions;
import org.leasehold.resource.Plugins;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import java.time.Clock;

/** Adds {@link InProcess} to an engine that has this program on its class path. */
@Configuration(proxyBeanMethods = false)
class InProcessConfiguration {

    @Bean
    InProcess inProcess(
            Commands commands,
            Availability availability,
            Plugins plugins,
            Leases leases,
            Positions positions,
            Clock clock) {
        return new InProcess(commands, availability, plugins, leases, positions, clock);
    }
}
