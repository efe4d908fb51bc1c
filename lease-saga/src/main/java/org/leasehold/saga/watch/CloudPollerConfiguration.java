package org.leasehold.saga.watch;

import org.leasehold.command.Commands;
import org.leasehold.readmodel.resource.ObservedUses;
import org.leasehold.readmodel.resource.Resources;
import org.leasehold.resource.Plugins;
import org.leasehold.saga.SagaSettings;
import org.leasehold.saga.node.Node;
import org.leasehold.saga.reconciliation.HeldResources;
import org.leasehold.saga.task.TaskQueue;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import java.time.Clock;

@Configuration(proxyBeanMethods = false)
class CloudPollerConfiguration {

    @Bean
    InventoryPoller inventoryWatch(
            Plugins plugins,
            Resources resources,
            Commands commands,
            Clock clock,
            Node node,
            HeldResources held,
            TaskQueue tasks) {
        return new InventoryPoller(
                plugins,
                resources,
                commands,
                clock,
                node,
                new StrayResourceRepair(held, tasks, clock),
                tasks);
    }

    @Bean
    ObservedUsePoller useWatch(
            Plugins plugins,
            Resources resources,
            ObservedUses uses,
            Commands commands,
            Clock clock,
            Node node) {
        return new ObservedUsePoller(plugins, resources, uses, commands, clock, node);
    }

    @Bean
    LossPoller lossPoller(
            Plugins plugins,
            HeldResources held,
            Resources resources,
            Commands commands,
            Clock clock,
            Node node) {
        return new LossPoller(plugins, held, resources, commands, clock, node);
    }

    @Bean
    CloudPoller lookout(
            Plugins plugins,
            InventoryPoller watch,
            LossPoller losses,
            SagaSettings settings,
            Clock clock,
            Node node) {
        return new CloudPoller(
                plugins,
                () -> {
                    // The inventory first: it has the outages of the same resources.
                    watch.poll();
                    losses.poll();
                },
                settings.watching(),
                clock,
                node);
    }
}
