package org.leasehold.bench.inprocess;

import org.leasehold.command.Commands;
import org.leasehold.readmodel.capacity.Availability;
import org.leasehold.readmodel.event.EventLogPositions;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.resource.Plugins;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import java.time.Clock;

/** Adds {@link InProcessServer} to an engine that has this program on its class path. */
@Configuration(proxyBeanMethods = false)
class InProcessConfiguration {

    @Bean
    InProcessServer inProcess(
            Commands commands,
            Availability availability,
            Plugins plugins,
            Leases leases,
            EventLogPositions positions,
            Clock clock) {
        return new InProcessServer(commands, availability, plugins, leases, positions, clock);
    }
}
