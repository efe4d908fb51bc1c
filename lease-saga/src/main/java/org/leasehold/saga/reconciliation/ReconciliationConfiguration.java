package org.leasehold.saga.reconciliation;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Tenures;
import org.leasehold.command.Commands;
import org.leasehold.query.Drift;
import org.leasehold.query.Leases;
import org.leasehold.query.Resources;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.identity.Projects;
import org.leasehold.resource.identity.Projects.Search;
import org.leasehold.resource.identity.Projects.Standing;
import org.leasehold.saga.SagaSettings;
import org.leasehold.saga.node.Node;
import org.leasehold.saga.trust.OrphanedTrusts;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import java.time.Clock;

@Configuration(proxyBeanMethods = false)
class ReconciliationConfiguration {

    @Bean
    HeldResources heldResources(Tenures tenures, Leases leases) {
        return new HeldResources(tenures, leases);
    }

    @Bean
    Drift drift(
            Tenures tenures,
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
                new StrayComparison(resources, held, plugins),
                new AbandonedLeases(leases, projects.getIfAvailable()));
    }

    /** Has nothing to do where users do not log in with the cloud. */
    @Bean
    DeletedProjects deletedProjects(
            Leases leases,
            ObjectProvider<Projects> projects,
            Commands commands,
            SagaSettings settings,
            Clock clock,
            Node node) {
        boolean cancels =
                switch (settings.ofDeletedProjects()) {
                    case KEEP -> false;
                    case CANCEL -> true;
                };
        @Nullable Projects known = projects.getIfAvailable();
        return new DeletedProjects(
                leases,
                known == null ? _ -> new Search.Known(Standing.ENABLED) : known,
                commands,
                clock,
                () -> cancels && known != null && node.works());
    }
}
