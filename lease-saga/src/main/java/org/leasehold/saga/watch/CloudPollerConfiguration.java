package org.leasehold.saga.watch;

import org.leasehold.command.Commands;
import org.leasehold.readmodel.resource.ObservedUses;
import org.leasehold.readmodel.resource.Resources;
import org.leasehold.resource.Plugins;
import org.leasehold.saga.SagaSettings;
import org.leasehold.saga.node.FailedPolls;
import org.leasehold.saga.node.Node;
import org.leasehold.saga.reconciliation.HeldResources;
import org.leasehold.saga.task.TaskQueue;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

@Configuration(proxyBeanMethods = false)
class CloudPollerConfiguration {

    @Bean
    PollContext pollContext(Clock clock, Node node, ObjectProvider<FailedPolls> failedPolls) {
        return new PollContext(clock, node, failedPolls.getIfAvailable(() -> FailedPolls.NONE));
    }

    @Bean
    InventoryPoller inventoryWatch(
            Plugins plugins,
            Resources resources,
            Commands commands,
            PollContext context,
            HeldResources held,
            TaskQueue tasks) {
        return new InventoryPoller(
                plugins,
                resources,
                commands,
                context,
                new StrayResourceRepair(held, tasks, context.clock()),
                tasks);
    }

    @Bean
    ObservedUsePoller useWatch(
            Plugins plugins,
            Resources resources,
            ObservedUses uses,
            Commands commands,
            PollContext context) {
        return new ObservedUsePoller(plugins, resources, uses, commands, context);
    }

    @Bean
    LossPoller lossPoller(
            Plugins plugins,
            HeldResources held,
            Resources resources,
            Commands commands,
            PollContext context) {
        return new LossPoller(plugins, held, resources, commands, context);
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
                (plugin, news) -> Optional.of(plugin.subscribe(news)),
                () -> {
                    // The inventory first: it has the outages of the same resources.
                    watch.poll();
                    losses.poll();
                },
                new CloudPoller.Timing(settings.watching(), Duration.ZERO),
                clock,
                node);
    }
}
