package org.leasehold.saga.leasetag;

import org.leasehold.command.Commands;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.resource.Plugins;
import org.leasehold.saga.SagaSettings;
import org.leasehold.saga.node.FailedPolls;
import org.leasehold.saga.node.Node;
import org.leasehold.saga.watch.CloudPoller;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

import javax.sql.DataSource;

@Configuration(proxyBeanMethods = false)
class LeaseTagConfiguration {

    /** The pause after a poll, which reads the metadata of all servers and volumes. */
    private static final Duration PAUSE = Duration.ofSeconds(10);

    @Bean
    OpenLeaseTags openLeaseTags(DataSource dataSource, Leases leases, SagaSettings settings) {
        return new OpenLeaseTags(JdbcClient.create(dataSource), leases, settings::petitions);
    }

    @Bean
    LeaseTagHandler leaseTagHandler(Leases leases, Commands commands, Clock clock) {
        return new LeaseTagHandler(leases, commands, clock);
    }

    @Bean
    LeaseTagPoller leaseTagPoller(
            Plugins plugins,
            LeaseTagHandler handler,
            DataSource dataSource,
            SagaSettings settings,
            Clock clock,
            Node node,
            ObjectProvider<FailedPolls> failedPolls) {
        return new LeaseTagPoller(
                plugins,
                handler,
                new LeaseTagTable(JdbcClient.create(dataSource)),
                clock,
                failedPolls.getIfAvailable(() -> FailedPolls.NONE),
                () -> settings.petitions() && node.works());
    }

    @Bean
    CloudPoller leaseTagSchedule(
            Plugins plugins, LeaseTagPoller poller, SagaSettings settings, Clock clock, Node node) {
        return new CloudPoller(
                plugins,
                (plugin, news) ->
                        settings.petitions()
                                ? plugin.leaseTagSource().map(source -> source.subscribe(news))
                                : Optional.empty(),
                poller::poll,
                new CloudPoller.Timing(settings.watching(), PAUSE),
                clock,
                node);
    }
}
