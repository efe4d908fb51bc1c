package org.leasehold.resource.simulator.host;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Acting.Result;
import org.leasehold.resource.Replacement;
import org.leasehold.resource.simulator.BehaviorRule;
import org.leasehold.resource.simulator.InjectedFault;
import org.leasehold.resource.simulator.SimulatedHost.Server;

import java.util.List;

/** The moves of servers between hosts of the simulated cloud, and their faults. */
class SimulatedMovesTest extends SimulatedHostsFixture {

    private static final List<Allocation> FROM = allocations("compute-1");
    private static final List<Allocation> TO = allocations("compute-2");

    private Assignment moved;

    @BeforeEach
    void startTwoServers() {
        Assignment running = assignment("compute-1");
        acting().onStart(running);
        boot("one", running);
        boot("two", running);
        moved = onHosts(running, TO);
    }

    @Test
    void a_leaving_host_without_a_replacement_loses_all_servers() {
        assertThat(acting().onAdjust(moved, FROM)).isInstanceOf(Result.Done.class);

        assertThat(cloud.servers()).isEmpty();
    }

    @Test
    void servers_of_a_host_that_is_down_move_to_the_replacement() {
        cloud.setHostUp("compute-1", false);

        assertThat(replace()).isInstanceOf(Result.Done.class);

        assertThat(names("compute-2")).containsExactly("one", "two");
        assertThat(cloud.freepool()).contains("compute-1");
    }

    @Test
    void a_failed_move_leaves_the_server_on_the_old_host_until_a_retry() {
        cloud.addBehaviorRule(
                BehaviorRule.failing("adjust.move_server", InjectedFault.BROKEN)
                        .onHost("compute-1")
                        .withSkip(1)
                        .times(1));

        assertFailed(replace(), Fault.Kind.PERMANENT);

        assertThat(names("compute-1")).containsExactly("two");
        assertThat(names("compute-2")).containsExactly("one");
        assertThat(replace()).isInstanceOf(Result.Done.class);
        assertThat(names("compute-2")).containsExactly("one", "two");
    }

    @Test
    void a_server_stays_while_the_replacement_is_down() {
        acting().onAdjust(onHosts(moved, allocations("compute-1", "compute-2")), List.of());
        cloud.setHostUp("compute-2", false);

        assertFailed(replace(), Fault.Kind.RETRYABLE);

        assertThat(names("compute-1")).containsExactly("one", "two");
    }

    private Result replace() {
        return acting().onAdjust(
                        moved, FROM, List.of(new Replacement(FROM.getFirst(), TO.getFirst())));
    }

    private List<String> names(String host) {
        return cloud.serversOn(host).stream().map(Server::name).toList();
    }

    private static void assertFailed(Result result, Fault.Kind kind) {
        assertThat(result)
                .isInstanceOfSatisfying(
                        Result.Failed.class,
                        failed -> assertThat(failed.fault().kind()).isEqualTo(kind));
    }

    private static Assignment onHosts(Assignment old, List<Allocation> hosts) {
        return new Assignment(
                old.lease(),
                old.reservation(),
                old.project(),
                old.user(),
                old.period(),
                old.parameters(),
                hosts);
    }
}
