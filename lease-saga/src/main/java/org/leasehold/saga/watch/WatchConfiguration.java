package org.leasehold.saga.watch;

import org.leasehold.command.Commands;
import org.leasehold.query.Resources;
import org.leasehold.query.Uses;
import org.leasehold.resource.Plugins;
import org.leasehold.saga.SagaSettings;
import org.leasehold.saga.node.Node;
import org.leasehold.saga.reconciliation.HeldResources;
import org.leasehold.saga.task.Tasks;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import java.time.Clock;

@Configuration(proxyBeanMethods = false)
class WatchConfiguration {

    @Bean
    InventoryWatch inventoryWatch(
            Plugins plugins,
            Resources resources,
            Commands commands,
            Clock clock,
            Node node,
            HeldResources held,
            Tasks tasks) {
        return new InventoryWatch(
                plugins,
                resources,
                commands,
                clock,
                node,
                new StrayResources(held, tasks, clock),
                tasks);
    }

    @Bean
    UseWatch useWatch(
            Plugins plugins,
            Resources resources,
            Uses uses,
            Commands commands,
            Clock clock,
            Node node) {
        return new UseWatch(plugins, resources, uses, commands, clock, node);
    }

    @Bean
    Lookout lookout(
            Plugins plugins, InventoryWatch watch, SagaSettings settings, Clock clock, Node node) {
        return new Lookout(plugins, watch::look, settings.watching(), clock, node);
    }
}
