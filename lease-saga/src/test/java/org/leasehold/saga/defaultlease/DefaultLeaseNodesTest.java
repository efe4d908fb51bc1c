package org.leasehold.saga.defaultlease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.leasehold.saga.defaultlease.FakeServers.id;
import static org.leasehold.saga.defaultlease.FakeServers.server;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseCommand.CreateLease;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.saga.defaultlease.DefaultLeaseTable.State;
import org.leasehold.saga.fakes.Samples;
import org.leasehold.vocabulary.LeaseId;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/** Tests three nodes that poll for default leases in one PostgreSQL, and die at any step. */
class DefaultLeaseNodesTest extends DefaultLeaseFixture {

    private static final int NODES = 3;
    private static final int SERVERS = 20;
    private static final String WEB = id(1);

    /** The step at which a node dies. */
    private enum Step {
        BEFORE_THE_REQUEST,
        AFTER_THE_REQUEST
    }

    @ParameterizedTest
    @EnumSource
    void nodes_that_die_in_turn_create_one_lease(Step step) {
        cloud.put(server(WEB));
        engine.commands.answer(
                sent -> {
                    if (step == Step.AFTER_THE_REQUEST) {
                        engine.decide(sent);
                    }
                    throw new NodeKilled();
                });
        // Each node has listed the leases before: it would not send the request otherwise.
        for (int node = 0; node < NODES; node++) {
            DefaultLeasePoller dying = node(true);
            assertThatThrownBy(dying::poll).isInstanceOf(NodeKilled.class);
            leases.hide(engine.requests().getFirst().leaseId());
            step(DefaultLeasePoller.REQUEST_TIMEOUT);
        }

        engine.commands.answer(engine::decide);
        poll();

        assertThat(engine.requests()).hasSize(NODES + 1);
        assertThat(engine.requests().stream().map(CreateLease::leaseId).distinct()).hasSize(1);
        assertThat(engine.leases.find(engine.requests().getFirst().leaseId(), null)).isPresent();
        assertThat(row(WEB).state()).isEqualTo(State.LEASED);
    }

    @Test
    void a_node_that_dies_after_the_claim_leaves_the_id_to_the_next() {
        cloud.put(server(WEB));
        LeaseId claimed = Samples.lease(1);
        assertThat(
                        table.claim(
                                server(WEB),
                                claimed,
                                now(),
                                now().plus(DefaultLeasePoller.REQUEST_TIMEOUT)))
                .contains(new DefaultLeaseTable.Claim(claimed, 0));
        poll();
        assertThat(engine.requests()).isEmpty();

        step(DefaultLeasePoller.REQUEST_TIMEOUT);
        poll();

        assertThat(engine.requests()).extracting(CreateLease::leaseId).containsExactly(claimed);
    }

    @Test
    void a_refusal_that_a_dead_node_did_not_store_is_followed_by_a_new_id() {
        cloud.put(server(WEB));
        engine.setFull(true);
        engine.commands.answer(
                sent -> {
                    engine.decide(sent);
                    throw new NodeKilled();
                });
        assertThatThrownBy(() -> poll()).isInstanceOf(NodeKilled.class);
        engine.commands.answer(engine::decide);
        step(DefaultLeasePoller.REQUEST_TIMEOUT);

        poll();
        assertThat(row(WEB).state()).isEqualTo(State.REFUSED);
        assertThat(row(WEB).reason()).isEqualTo("An earlier request was refused");
        engine.setFull(false);
        step(Duration.ofMinutes(10));
        poll();

        assertThat(row(WEB).state()).isEqualTo(State.LEASED);
        assertThat(engine.requests().getLast().leaseId())
                .isEqualTo(row(WEB).lease())
                .isNotEqualTo(engine.requests().getFirst().leaseId());
    }

    @Test
    void a_late_result_does_not_change_a_newer_request() {
        cloud.put(server(WEB));
        engine.setFull(true);
        poll();
        LeaseId refused = engine.requests().getFirst().leaseId();

        table.storeGrant(WEB, refused);
        table.storeRefusal(WEB, refused, Samples.lease(1), "late", now());
        table.storeEnd(WEB, refused, Samples.lease(1), now());
        table.delete(WEB, refused);

        assertThat(row(WEB).state()).isEqualTo(State.REFUSED);
        assertThat(row(WEB).reason()).isEqualTo("There is no room for it then");
        assertThat(row(WEB).attempts()).isEqualTo(1);
    }

    @Test
    void concurrent_nodes_create_one_lease_for_each_server() throws Exception {
        IntStream.range(0, SERVERS).forEach(number -> cloud.put(server(id(number))));
        for (int round = 0; round < 3; round++) {
            pollAtOnce();
            step(DefaultLeasePoller.REQUEST_TIMEOUT);
        }

        assertThat(engine.requests())
                .hasSize(SERVERS)
                .extracting(CreateLease::name)
                .doesNotHaveDuplicates();
        assertThat(table.findAll(ResourceKind.SERVER).values())
                .hasSize(SERVERS)
                .allSatisfy(
                        row -> {
                            assertThat(row.state()).isEqualTo(State.LEASED);
                            assertThat(engine.leases.find(row.lease(), null))
                                    .map(LeaseView::name)
                                    .contains("default-" + row.server());
                        });
    }

    private void pollAtOnce() throws Exception {
        CyclicBarrier start = new CyclicBarrier(NODES);
        try (ExecutorService threads = Executors.newFixedThreadPool(NODES)) {
            List<Callable<Void>> polls =
                    IntStream.range(0, NODES)
                            .<Callable<Void>>mapToObj(_ -> () -> pollAfter(start))
                            .toList();
            for (Future<Void> poll : threads.invokeAll(polls)) {
                poll.get();
            }
        }
    }

    private Void pollAfter(CyclicBarrier start) throws Exception {
        DefaultLeasePoller node = node(true);
        start.await();
        node.poll();
        return null;
    }
}
