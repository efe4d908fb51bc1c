package org.leasehold.saga.reconciliation;

import org.leasehold.calendar.CurrentTenures;
import org.leasehold.command.Commands;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.readmodel.operation.Drift;
import org.leasehold.readmodel.resource.Resources;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.identity.Projects;
import org.leasehold.saga.SagaSettings;
import org.leasehold.saga.SagaSettings.OfDeletedProjects;
import org.leasehold.saga.node.Node;
import org.leasehold.saga.trust.OrphanedTrusts;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import java.time.Clock;

@Configuration(proxyBeanMethods = false)
class ReconciliationConfiguration {

    @Bean
    HeldResources heldResources(CurrentTenures tenures, Leases leases) {
        return new HeldResources(tenures, leases);
    }

    @Bean
    Drift drift(
            CurrentTenures tenures,
            Leases leases,
            Resources resources,
            HeldResources held,
            Plugins plugins,
            OrphanedTrusts trusts,
            ObjectProvider<Projects> projects) {
        return new Reconciliation(
                tenures,
                leases,
                plugins,
                trusts,
                new StrayResourceFinder(resources, held, plugins),
                new AbandonedLeases(leases, projects.getIfAvailable()));
    }

    @Bean
    DeletedProjectCleanup deletedProjects(
            Leases leases,
            ObjectProvider<Projects> projects,
            Commands commands,
            SagaSettings settings,
            Clock clock,
            Node node) {
        return new DeletedProjectCleanup(
                leases,
                projects.getIfAvailable(),
                commands,
                clock,
                () -> settings.ofDeletedProjects() == OfDeletedProjects.CANCEL && node.works());
    }
}
