package org.leasehold.command.lease;

import org.leasehold.command.calendar.Calendar;
import org.leasehold.command.journal.AggregateShell;
import org.leasehold.resource.Plugins;

/** Gives the simulation the aggregate as the product wires it. */
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
