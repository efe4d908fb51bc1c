package org.leasehold.command.lease;

import org.axonframework.modelling.command.VersionedAggregateIdentifier;
import org.axonframework.test.aggregate.AggregateTestFixture;
import org.leasehold.command.calendar.Calendar;
import org.leasehold.command.count.LeaseCounts;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.resource.Plugins;

/** Creates Axon's fixture of a lease, with the collaborators of its command handlers. */
final class LeaseAggregateFixture {

    private LeaseAggregateFixture() {}

    static AggregateTestFixture<LeaseAggregate> create(
            LeaseSettings settings, Calendar calendar, LeaseCounts counts) {
        return create(new HostOnlyPlugins(), settings, calendar, counts);
    }

    static AggregateTestFixture<LeaseAggregate> create(
            Plugins plugins, LeaseSettings settings, Calendar calendar, LeaseCounts counts) {
        AggregateTestFixture<LeaseAggregate> fixture =
                new AggregateTestFixture<>(LeaseAggregate.class);
        fixture.registerCommandTargetResolver(
                message ->
                        new VersionedAggregateIdentifier(
                                (Object) ((LeaseCommand) message.getPayload()).leaseId().toString(),
                                null));
        fixture.registerInjectableResource(new LeaseDecider(plugins, settings));
        fixture.registerInjectableResource(calendar);
        fixture.registerInjectableResource(counts);
        return fixture;
    }
}
