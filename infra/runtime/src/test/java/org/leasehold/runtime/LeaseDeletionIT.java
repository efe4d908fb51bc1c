package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.resource.simulator.BehaviorRule;
import org.leasehold.resource.simulator.InjectedFault;
import org.leasehold.runtime.DemoProject.Lease;

import java.time.Instant;

/** Tests that a lease can be deleted in each of the states that it may have. */
class LeaseDeletionIT extends LeaseLifecycleFixture {

    @Test
    void a_lease_can_be_deleted_before_it_starts() {
        Host host = enrol();
        Instant start = product.now().plus(LONG);
        Lease lease = tenant.lease(start, start.plus(LONG), DemoProject.named(host.name()));

        tenant.delete(lease);

        assertThat(tenant.status(lease)).isEqualTo("gone");
    }

    @Test
    void a_lease_can_be_deleted_while_it_starts() {
        Host host = enrol();
        product.gate().close(PluginGate.Action.START);
        Lease lease = tenant.leaseNow(1, DemoProject.named(host.name()));
        tenant.awaitStatus(lease, "STARTING");

        tenant.delete(lease);

        assertThat(tenant.status(lease)).isIn("DELETING", "gone");
        product.gate().open();
        tenant.awaitStatus(lease, "gone");
        assertThat(tenant.isCleanedUp(lease, host.name())).isTrue();
    }

    @Test
    void a_lease_can_be_deleted_while_it_waits_for_a_host() {
        HandOver handOver = delayHandOver();

        tenant.delete(handOver.second());

        assertThat(tenant.status(handOver.second())).isEqualTo("gone");
        product.gate().open();
        tenant.awaitStatus(handOver.first(), "TERMINATED");
        assertThat(tenant.isCleanedUp(handOver.second(), handOver.host().name())).isTrue();
    }

    @Test
    void a_lease_can_be_deleted_in_error() {
        Host host = enrol();
        product.cloud()
                .addBehaviorRule(
                        BehaviorRule.failing("start.leave_freepool", InjectedFault.BROKEN)
                                .onHost(host.name()));
        Lease lease = tenant.leaseNow(1, DemoProject.named(host.name()));
        tenant.awaitStatus(lease, "ERROR");

        tenant.delete(lease);

        tenant.awaitStatus(lease, "gone");
        assertThat(tenant.isCleanedUp(lease, host.name())).isTrue();
    }

    @Test
    void an_ending_lease_can_be_deleted_twice() {
        Host host = enrol();
        Lease lease = tenant.leaseNow(1, DemoProject.named(host.name()));
        tenant.awaitStatus(lease, "ACTIVE");
        product.gate().close(PluginGate.Action.END);
        tenant.end(lease);

        tenant.delete(lease);
        assertThat(tenant.status(lease)).isEqualTo("DELETING");
        tenant.delete(lease);
        product.gate().open();

        tenant.awaitStatus(lease, "gone");
        assertThat(tenant.isCleanedUp(lease, host.name())).isTrue();
    }

    @Test
    void a_lease_can_be_deleted_after_the_end() {
        Host host = enrol();
        Lease lease = tenant.leaseNow(1, DemoProject.named(host.name()));
        tenant.awaitStatus(lease, "ACTIVE");
        tenant.end(lease);
        tenant.awaitStatus(lease, "TERMINATED");

        tenant.delete(lease);

        assertThat(tenant.status(lease)).isEqualTo("gone");
    }
}
