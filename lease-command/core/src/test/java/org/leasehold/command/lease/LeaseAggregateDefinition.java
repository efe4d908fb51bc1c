package org.leasehold.command.lease;

import org.leasehold.command.calendar.Calendar;
import org.leasehold.command.execution.AggregateDefinition;
import org.leasehold.resource.Plugins;

/** Provides the aggregate to the simulation, wired as in production. */
public final class LeaseAggregateDefinition {

    private LeaseAggregateDefinition() {}

    public static AggregateDefinition<?> on(Plugins plugins, Calendar calendar) {
        LeaseConfiguration configuration = new LeaseConfiguration();
        return configuration.leaseShell(
                configuration.leaseDecider(plugins, LeaseSettings.defaults()),
                calendar,
                new UnlimitedLeaseCounts());
    }
}
