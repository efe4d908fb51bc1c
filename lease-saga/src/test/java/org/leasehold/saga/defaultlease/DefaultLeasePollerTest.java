package org.leasehold.saga.defaultlease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.saga.defaultlease.FakeServers.PROJECT;
import static org.leasehold.saga.defaultlease.FakeServers.USER;
import static org.leasehold.saga.defaultlease.FakeServers.id;
import static org.leasehold.saga.defaultlease.FakeServers.server;

import org.junit.jupiter.api.Test;
import org.leasehold.command.ContentionException;
import org.leasehold.command.Outcome;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseCommand.CreateLease;
import org.leasehold.lease.LeaseRejection.TooManyLeases;
import org.leasehold.resource.LeasableObject.State;
import org.leasehold.vocabulary.LeaseId;

import java.time.Duration;
import java.util.Map;

/** Tests the requests for default leases. */
class DefaultLeasePollerTest extends DefaultLeaseFixture {

    private static final String WEB = id(1);

    @Test
    void a_server_gets_a_shelving_lease_of_the_same_project_and_user() {
        cloud.put(server(WEB));

        poll();

        CreateLease request = onlyRequest();
        assertThat(request.projectId()).isEqualTo(PROJECT);
        assertThat(request.userId()).isEqualTo(USER);
        assertThat(request.name()).isEqualTo("default-" + WEB);
        assertThat(request.start()).isEqualTo(now());
        assertThat(request.end()).isEqualTo(now().plus(Duration.ofDays(30)));
        assertThat(request.beforeEnd()).isEqualTo(request.end().minus(Duration.ofDays(3)));
        assertThat(request.reservations())
                .singleElement()
                .satisfies(
                        wish -> {
                            assertThat(wish.kind()).isEqualTo(ResourceKind.SERVER);
                            assertThat(wish.parameters())
                                    .containsEntry("server_id", WEB)
                                    .containsEntry("on_start", "leave")
                                    .containsEntry("on_end", "shelve")
                                    .containsKey("server");
                        });
    }

    @Test
    void the_engine_is_the_sender_of_the_request() {
        cloud.put(server(WEB));

        poll();

        assertThat(engine.commands.sent().getFirst().context())
                .satisfies(
                        context -> {
                            assertThat(context.authentication()).isEqualTo("engine");
                            assertThat(context.user()).isNull();
                            assertThat(context.reason())
                                    .isEqualTo("The server %s had no lease", WEB);
                        });
    }

    @Test
    void a_notice_of_zero_announces_no_end() {
        settings.put("notice", "0s");
        cloud.put(server(WEB));

        poll();

        assertThat(onlyRequest().beforeEnd()).isNull();
    }

    @Test
    void a_server_with_a_default_lease_gets_no_other_one() {
        cloud.put(server(WEB));

        poll();
        step(Duration.ofDays(20));
        poll();

        assertThat(engine.requests()).hasSize(1);
    }

    @Test
    void a_lease_that_the_read_model_lacks_is_not_requested_twice() {
        cloud.put(server(WEB));
        poll();
        LeaseId lease = onlyRequest().leaseId();
        leases.hide(lease);

        step(Duration.ofMinutes(5));
        poll();

        assertThat(engine.requests()).hasSize(1);
    }

    @Test
    void an_exempt_server_or_an_inactive_node_requests_nothing() {
        cloud.put(server(WEB, Map.of(), null, State.SHELVED, null));
        poll();
        cloud.put(server(id(2)));
        node(false).poll();

        assertThat(engine.requests()).isEmpty();
    }

    @Test
    void a_cloud_that_does_not_respond_is_polled_again() {
        cloud.put(server(WEB));
        cloud.setAway(true);
        poll();
        assertThat(engine.requests()).isEmpty();
        assertThat(failedPolls.polls()).containsExactly("default_leases virtual:server");

        cloud.setAway(false);
        poll();

        assertThat(engine.requests()).hasSize(1);
    }

    @Test
    void a_refused_request_is_repeated_with_doubling_pauses_and_new_ids() {
        engine.setFull(true);
        cloud.put(server(WEB));
        poll();
        step(Duration.ofMinutes(10).minusNanos(1_000));
        poll();
        assertThat(engine.requests()).hasSize(1);

        step(Duration.ofNanos(1_000));
        poll();
        assertThat(engine.requests()).hasSize(2);
        step(Duration.ofMinutes(19));
        poll();
        assertThat(engine.requests()).hasSize(2);
        engine.setFull(false);
        step(Duration.ofMinutes(1));
        poll();

        assertThat(engine.requests()).extracting(CreateLease::leaseId).doesNotHaveDuplicates();
        assertThat(engine.leases.find(engine.requests().getLast().leaseId(), PROJECT)).isPresent();
        step(Duration.ofDays(1));
        poll();
        assertThat(engine.requests()).hasSize(3);
    }

    @Test
    void the_pause_after_refusals_is_limited_to_a_day() {
        assertThat(DefaultLeasePoller.pauseAfter(0)).isEqualTo(Duration.ofMinutes(10));
        assertThat(DefaultLeasePoller.pauseAfter(3)).isEqualTo(Duration.ofMinutes(80));
        assertThat(DefaultLeasePoller.pauseAfter(8)).isEqualTo(Duration.ofDays(1));
        assertThat(DefaultLeasePoller.pauseAfter(Integer.MAX_VALUE)).isEqualTo(Duration.ofDays(1));
    }

    @Test
    void a_rejected_request_keeps_the_lease_id() {
        engine.commands.answer(_ -> new Outcome.Rejected<>(new TooManyLeases(5)));
        cloud.put(server(WEB));

        poll();
        assertThat(table.findAll(ResourceKind.SERVER).get(WEB).reason())
                .isEqualTo("The project has 5 leases already, as many as it may have");
        step(Duration.ofMinutes(10));
        poll();

        assertThat(engine.requests()).hasSize(2);
        assertThat(engine.requests())
                .extracting(CreateLease::leaseId)
                .containsOnly(engine.requests().getFirst().leaseId());
    }

    @Test
    void a_contention_or_a_failure_is_followed_by_the_same_request() {
        for (RuntimeException failure :
                new RuntimeException[] {
                    new ContentionException("busy", new IllegalStateException()),
                    new IllegalStateException("broken")
                }) {
            engine.commands.answer(
                    _ -> {
                        throw failure;
                    });
            cloud.put(server(WEB));
            poll();
            step(Duration.ofMinutes(20));
        }
        assertThat(row(WEB).attempts()).isEqualTo(2);
        engine.commands.answer(engine::decide);
        poll();

        assertThat(engine.requests()).hasSize(3);
        assertThat(engine.requests())
                .extracting(CreateLease::leaseId)
                .containsOnly(engine.requests().getFirst().leaseId());
        assertThat(row(WEB).attempts()).isZero();
    }

    @Test
    void a_server_that_the_cloud_does_not_describe_is_requested_after_a_pause() {
        cloud.put(server(WEB));
        cloud.setFailsChecks(true);
        poll();
        LeaseId lease = row(WEB).lease();
        assertThat(row(WEB).reason()).isEqualTo("no response");
        cloud.setFailsChecks(false);
        step(Duration.ofMinutes(9));
        poll();
        assertThat(engine.requests()).isEmpty();

        step(Duration.ofMinutes(1));
        poll();

        assertThat(onlyRequest().leaseId()).isEqualTo(lease);
    }

    @Test
    void a_poll_is_limited_and_failing_servers_do_not_block_others() {
        settings.put("max-requests-per-poll", "2");
        engine.commands.answer(
                _ -> {
                    throw new IllegalStateException("broken");
                });
        for (int i = 1; i <= 4; i++) {
            cloud.put(server(id(i)));
        }
        poll();
        assertThat(engine.requests()).hasSize(2);

        step(Duration.ofMinutes(10));
        poll();

        assertThat(engine.requests())
                .extracting(CreateLease::name)
                .containsExactlyInAnyOrder(
                        "default-" + id(1),
                        "default-" + id(2),
                        "default-" + id(3),
                        "default-" + id(4));
    }

    @Test
    void a_server_that_runs_after_the_end_gets_a_new_lease() {
        cloud.put(server(WEB));
        poll();
        LeaseId first = onlyRequest().leaseId();
        engine.end(first);
        poll();
        assertThat(engine.requests()).as("the listing may be older than the end").hasSize(1);
        cloud.put(server(WEB, Map.of(), null, State.SHELVED, null));
        step(Duration.ofDays(1));
        poll();
        assertThat(engine.requests()).hasSize(1);

        cloud.put(server(WEB));
        poll();

        assertThat(engine.requests()).hasSize(2);
        assertThat(engine.requests().getLast().leaseId()).isNotEqualTo(first);
        assertThat(engine.requests().getLast().end()).isEqualTo(now().plus(Duration.ofDays(30)));
    }

    @Test
    void a_lease_that_ends_during_a_listing_has_the_server_in_that_poll() {
        cloud.put(server(WEB));
        poll();
        step(Duration.ofDays(1));
        cloud.afterListing(
                () -> {
                    engine.end(onlyRequest().leaseId());
                    cloud.put(server(WEB, Map.of(), null, State.SHELVED, null));
                });
        table.delete(WEB, onlyRequest().leaseId());

        poll();
        cloud.afterListing(() -> {});
        poll();

        assertThat(engine.requests()).hasSize(1);
    }

    private CreateLease onlyRequest() {
        assertThat(engine.requests()).hasSize(1);
        return engine.requests().getFirst();
    }
}
