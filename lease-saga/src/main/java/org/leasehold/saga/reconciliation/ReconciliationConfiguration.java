package org.leasehold.saga.reconciliation;

import org.leasehold.calendar.Tenures;
import org.leasehold.query.Drift;
import org.leasehold.query.Leases;
import org.leasehold.query.Resources;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.identity.Projects;
import org.leasehold.saga.trust.OrphanedTrusts;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

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
}
