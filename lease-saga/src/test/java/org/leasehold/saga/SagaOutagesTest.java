package org.leasehold.saga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.saga.fakes.Samples.LEASE;
import static org.leasehold.saga.fakes.Samples.RESERVATION;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.inventory.OutageExtent;
import org.leasehold.inventory.ResourceEvent;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.saga.fakes.Await;
import org.leasehold.saga.fakes.Samples;
import org.leasehold.saga.inventory.InventorySaga;
import org.leasehold.vocabulary.LeaseId;

import java.util.List;

/** Tests that sagas report outages and recoveries of resources to the affected leases. */
class SagaOutagesTest extends SagaFixture {

    @Test
    void an_outage_and_a_recovery_are_reported_to_the_affected_leases() {
        registerHost(NODE_1);
        publish(disabled(OutageExtent.DOWN, LEASE, Samples.lease(2)));
        Await.until(
                "both outages are reported",
                () -> sent(down(LEASE)) && sent(down(Samples.lease(2))));
        publish(new LeaseEvent.ResourceFailed(LEASE, RESERVATION, NODE_1, "it is down"));

        publish(new ResourceEvent.ResourceEnabled(NODE_1));

        Await.until("the recovery is reported", () -> sent(back(LEASE)));
        Await.until("no timer is left", () -> timers() == 0);
        assertThat(sent(back(Samples.lease(2)))).isFalse();
    }

    @Test
    void a_closed_host_counts_as_recovered_for_existing_leases() {
        registerHost(NODE_1);
        publish(disabled(OutageExtent.DOWN, LEASE));
        publish(new LeaseEvent.ResourceFailed(LEASE, RESERVATION, NODE_1, "it is down"));
        publish(disabled(null, LEASE));
        publish(
                new LeaseEvent.ResourceFailed(
                        Samples.lease(2), RESERVATION, NODE_1, "it is down, too"));
        Await.until("the outage is reported", () -> sent(down(LEASE)));

        publish(disabled(OutageExtent.CLOSED, LEASE));

        Await.until(
                "both recoveries are reported",
                () -> sent(back(LEASE)) && sent(back(Samples.lease(2))));
        publish(disabled(OutageExtent.CLOSED, Samples.lease(3)));
        publish(disabled(OutageExtent.DOWN, Samples.lease(4)));
        Await.until("the outage of another lease is reported", () -> sent(down(Samples.lease(4))));
        assertThat(sent(down(Samples.lease(3)))).isFalse();
    }

    @Test
    void a_late_outage_or_recovery_event_is_corrected() {
        registerHost(NODE_1);
        publish(new LeaseEvent.ResourceFailed(LEASE, RESERVATION, NODE_1, "it was down"));
        Await.until("the recovery is reported", () -> sent(back(LEASE)));

        publish(disabled(OutageExtent.DOWN));
        publish(new LeaseEvent.ResourceRecovered(LEASE, RESERVATION, NODE_1));

        Await.until("the outage is reported", () -> sent(down(LEASE)));
    }

    @Test
    void a_removed_part_of_a_reservation_is_no_outage_of_the_resource() {
        registerHost(NODE_1);
        publish(
                new LeaseEvent.ResourceFailed(
                        LEASE, RESERVATION, NODE_1, InventorySaga.PART_REMOVED));
        publish(new LeaseEvent.ResourceFailed(Samples.lease(2), RESERVATION, NODE_1, "so it was"));
        Await.until("another lease is corrected", () -> sent(back(Samples.lease(2))));
        Await.until("no timer is left", () -> timers() == 0);

        assertThat(sent(back(LEASE))).isFalse();
    }

    private static ResourceEvent disabled(@Nullable OutageExtent extent, LeaseId... affected) {
        return new ResourceEvent.ResourceDisabled(
                NODE_1, "it is not well", List.of(affected), extent);
    }

    private static LeaseCommand down(LeaseId lease) {
        return new LeaseCommand.RecordOutage(lease, NODE_1, null, "it is not well");
    }

    private static LeaseCommand back(LeaseId lease) {
        return new LeaseCommand.RecordOutage(lease, NODE_1, null, null);
    }
}
