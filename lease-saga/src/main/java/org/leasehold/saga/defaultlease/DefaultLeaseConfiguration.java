package org.leasehold.saga.defaultlease;

import org.leasehold.command.Commands;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.readmodel.operation.DefaultLeases;
import org.leasehold.resource.Plugins;
import org.leasehold.saga.leasetag.OpenLeaseTags;
import org.leasehold.saga.node.FailedPolls;
import org.leasehold.saga.node.Node;
import org.leasehold.saga.watch.CloudPoller;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

import javax.sql.DataSource;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(DefaultLeaseSettings.class)
class DefaultLeaseConfiguration {

    /** The pause after a poll, which lists the servers of all projects. */
    private static final Duration PAUSE = Duration.ofSeconds(10);

    @Bean
    DefaultLeaseTable defaultLeaseTable(DataSource dataSource) {
        return new DefaultLeaseTable(JdbcClient.create(dataSource));
    }

    @Bean
    ServerAssessor serverAssessor(
            Plugins plugins,
            Leases leases,
            OpenLeaseTags leaseTags,
            DefaultLeaseSettings settings,
            Environment environment) {
        Binder values = Binder.get(environment);
        settings.requirePeriodWithin(
                values.bind("leasehold.lease.max-duration", Duration.class).orElse(Duration.ZERO),
                values.bind(
                                "leasehold.lease.duration-exempt-projects",
                                Bindable.setOf(String.class))
                        .orElse(Set.of()));
        return new ServerAssessor(plugins, leases, leaseTags, new DefaultLeasePolicy(settings));
    }

    @Bean
    DefaultLeases defaultLeases(
            Plugins plugins,
            Leases leases,
            ServerAssessor assessor,
            DefaultLeaseTable table,
            DefaultLeaseSettings settings,
            Clock clock) {
        return new DefaultLeaseReport(plugins, leases, assessor, table, settings.enabled(), clock);
    }

    @Bean
    DefaultLeasePoller.Parts defaultLeaseParts(
            Plugins plugins,
            Leases leases,
            Commands commands,
            ServerAssessor assessor,
            DefaultLeaseTable table,
            DefaultLeaseSettings settings,
            Clock clock) {
        return new DefaultLeasePoller.Parts(
                plugins,
                leases,
                assessor,
                table,
                new DefaultLeaseRequester(leases, commands, settings, clock));
    }

    @Bean
    DefaultLeasePoller defaultLeasePoller(
            DefaultLeasePoller.Parts parts,
            DefaultLeaseSettings settings,
            Clock clock,
            Node node,
            ObjectProvider<FailedPolls> failedPolls) {
        return new DefaultLeasePoller(
                parts,
                settings,
                clock,
                failedPolls.getIfAvailable(() -> FailedPolls.NONE),
                node::works);
    }

    @Bean
    CloudPoller defaultLeaseSchedule(
            Plugins plugins,
            DefaultLeasePoller poller,
            DefaultLeaseSettings settings,
            Clock clock,
            Node node) {
        return new CloudPoller(
                plugins,
                (plugin, news) ->
                        settings.enabled()
                                ? plugin.defaultLeaseSource().map(source -> source.subscribe(news))
                                : Optional.empty(),
                poller::poll,
                new CloudPoller.Timing(settings.polling(), PAUSE),
                clock,
                node);
    }
}
