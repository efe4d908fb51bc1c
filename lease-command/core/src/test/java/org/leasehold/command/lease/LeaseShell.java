package org.leasehold.command.lease;

import org.leasehold.command.calendar.Calendar;
import org.leasehold.command.journal.AggregateShell;
import org.leasehold.resource.Plugins;

/** Provides the aggregate to the simulation, wired as in production. */
public final class LeaseShell {

    private LeaseShell() {}

    public static AggregateShell<?> on(Plugins plugins, Calendar calendar) {
        LeaseConfiguration configuration = new LeaseConfiguration();
        return configuration.leaseShell(
                configuration.leaseDecider(plugins, LeaseSettings.defaults()),
                calendar,
                new UncountedLeases());
    }
}
