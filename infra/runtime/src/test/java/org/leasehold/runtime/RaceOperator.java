package org.leasehold.runtime;

import org.leasehold.command.CommandContext;
import org.leasehold.command.Commands;
import org.leasehold.inventory.ResourceCommand;
import org.leasehold.inventory.ResourceCommand.ChangeResource;
import org.leasehold.inventory.ResourceCommand.DisableResource;
import org.leasehold.inventory.ResourceCommand.EnableResource;
import org.leasehold.inventory.ResourceId;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/** Takes hosts out of service and back, and moves them between racks, while others lease them. */
final class RaceOperator {

    private final Commands commands;
    private final List<ResourceId> hosts;
    private final SplittableRandom random;

    RaceOperator(Commands commands, List<ResourceId> hosts, SplittableRandom random) {
        this.commands = commands;
        this.hosts = hosts;
        this.random = random;
    }

    /** Answers how many hosts were out of service for a while. */
    int operateUntil(BooleanSupplier over) {
        int disabled = 0;
        while (!over.getAsBoolean()) {
            ResourceId host = hosts.get(random.nextInt(hosts.size()));
            send(new DisableResource(host, "maintenance"));
            send(rack(hosts.get(random.nextInt(hosts.size()))));
            send(new EnableResource(host));
            disabled++;
        }
        return disabled;
    }

    /** Rejected where a lease relies on it. */
    private ResourceCommand rack(ResourceId host) {
        return new ChangeResource(
                host, Map.of("rack", Integer.toString(random.nextInt(3))), Set.of());
    }

    private void send(ResourceCommand command) {
        commands.send(
                command, CommandContext.engine(Instant.now(), "req-" + UUID.randomUUID(), null));
    }
}
