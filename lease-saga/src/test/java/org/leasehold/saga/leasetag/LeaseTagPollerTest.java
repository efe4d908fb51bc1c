package org.leasehold.saga.leasetag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.saga.fakes.Samples.LEASE;
import static org.leasehold.saga.fakes.Samples.PERIOD;
import static org.leasehold.saga.fakes.Samples.RESERVATION;
import static org.leasehold.saga.leasetag.FakeServers.PROJECT;
import static org.leasehold.saga.leasetag.FakeServers.USER;

import org.junit.jupiter.api.Test;
import org.leasehold.command.Outcome;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseCommand.ChangeLease;
import org.leasehold.lease.LeaseCommand.CreateLease;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.saga.fakes.Samples;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;

import java.time.Duration;
import java.util.Map;
import java.util.UUID;

/** Tests the leases that lease tags request or join. */
class LeaseTagPollerTest extends LeaseTagFixture {

    @Test
    void a_lease_tag_creates_a_lease_for_the_project_and_user_of_the_server() {
        cloud.write(WEB, Map.of("lease_params", TERMS, "role", "web"));

        look();

        assertThat(commands.commands())
                .singleElement()
                .isInstanceOfSatisfying(
                        CreateLease.class,
                        lease -> {
                            assertThat(lease.projectId()).isEqualTo(PROJECT);
                            assertThat(lease.userId()).isEqualTo(USER);
                            assertThat(lease.name()).isEqualTo("office");
                            assertThat(lease.start()).isEqualTo("2030-01-02T09:00:00Z");
                            assertThat(lease.end()).isEqualTo("2030-01-02T17:00:00Z");
                            assertThat(lease.beforeEnd()).isEqualTo("2030-01-02T16:30:00Z");
                            assertThat(lease.reservations())
                                    .singleElement()
                                    .satisfies(
                                            wish -> {
                                                assertThat(wish.kind())
                                                        .isEqualTo(ResourceKind.SERVER);
                                                assertThat(wish.parameters())
                                                        .containsEntry("server_id", WEB)
                                                        .containsEntry("on_end", "stop")
                                                        .containsKey("server");
                                            });
                        });
        assertThat(commands.sent().getFirst().context())
                .satisfies(
                        context -> {
                            assertThat(context.user()).isEqualTo(USER.value());
                            assertThat(context.project()).isEqualTo(PROJECT.value());
                            assertThat(context.authentication()).isEqualTo("petition");
                        });
        assertThat(cloud.answers()).isEmpty();
    }

    @Test
    void an_unchanged_lease_tag_is_processed_once_and_a_changed_one_again() {
        cloud.write(WEB, Map.of("lease_params", TERMS));
        look();
        look();
        now = now.plus(Duration.ofDays(100));
        look();
        assertThat(commands.commands()).hasSize(1);

        cloud.write(WEB, Map.of("lease_params", "{\"end\": \"2031-01-01 00:00\"}"));
        look();

        assertThat(commands.commands()).hasSize(2).doesNotHaveDuplicates();
        assertThat(((CreateLease) commands.commands().getLast()).name()).isEqualTo("web");
        assertThat(((CreateLease) commands.commands().getLast()).start()).isEqualTo(now);
    }

    @Test
    void an_invalid_lease_tag_is_reported_on_the_server() {
        says("lease_params", "tomorrow", "lease_params is no JSON object");
        says("lease_params", "[]", "lease_params is no JSON object");
        says("lease_params", "{}", "end is missing");
        says("lease_params", "{\"end\": 7}", "end must be a text");
        says("lease_params", "{\"end\": \"a\\u0000\"}", "end must be a text");
        says("lease_params", "{\"end\": \"\\ud800\"}", "end must be a text");
        says("lease_params", "{\"\\u0000\": 1}", "lease_params has a name that is no text");
        says(
                "lease_params",
                "{\"end\": \"2030-02-31 09:00\"}",
                "2030-02-31 09:00 is no date such as 2030-01-31T09:30:00Z or 2030-01-31 09:30");
        says(
                "lease_params",
                "{\"end\": \"soon\"}",
                "soon is no date such as 2030-01-31T09:30:00Z or 2030-01-31 09:30");
        says(
                "lease_params",
                "{\"end\": \"2031-01-01 00:00\", \"colour\": \"red\"}",
                "colour is unknown");
        says(
                "lease_params",
                "{\"end\": \"2031-01-01 00:00\", \"server_id\": \"%s\"}".formatted(WEB),
                "server_id is unknown");
        says(
                "lease_params",
                "{\"end\": \"2031-01-01 00:00\", \"server\": \"big\"}",
                "server is unknown");
        says("lease_id", "mine", "lease_id is no lease's id");
        says("lease_id", LEASE.toString(), "There is no lease " + LEASE);
        cloud.write(WEB, Map.of("lease_id", LEASE.toString(), "lease_params", TERMS));
        look();
        assertThat(cloud.on(WEB))
                .containsEntry("lease_error", "lease_id and lease_params exclude each other");
        assertThat(commands.commands()).isEmpty();
    }

    @Test
    void a_server_joins_a_lease_of_the_same_project() {
        world.put(Samples.view(LEASE, PERIOD, RESERVATION));
        cloud.write(WEB, Map.of("lease_id", LEASE.toString()));

        look();
        look();

        assertThat(commands.commands())
                .singleElement()
                .isInstanceOfSatisfying(
                        ChangeLease.class,
                        change -> {
                            assertThat(change.leaseId()).isEqualTo(LEASE);
                            assertThat(change.reservations()).isEmpty();
                            assertThat(change.further())
                                    .singleElement()
                                    .satisfies(
                                            wish ->
                                                    assertThat(wish.parameters())
                                                            .containsEntry("server_id", WEB));
                        });
    }

    @Test
    void a_lease_of_another_project_is_reported_as_unknown() {
        world.put(of(new ProjectId("biology"), LeaseStatus.ACTIVE));

        says("lease_id", LEASE.toString(), "There is no lease " + LEASE);

        assertThat(commands.commands()).isEmpty();
    }

    @Test
    void a_server_joins_a_lease_once_it_is_active_but_not_while_it_ends() {
        world.put(of(PROJECT, LeaseStatus.STARTING));
        cloud.write(WEB, Map.of("lease_id", LEASE.toString()));
        look();
        assertThat(commands.commands()).isEmpty();
        assertThat(cloud.answers()).isEmpty();

        world.put(of(PROJECT, LeaseStatus.ACTIVE));
        now = now.plus(Duration.ofMinutes(1));
        look();
        assertThat(commands.commands()).hasSize(1);

        LeaseId other = Samples.lease(2);
        world.put(of(other, PROJECT, LeaseStatus.ENDING));
        says("lease_id", other.toString(), "The lease is ENDING");
        assertThat(commands.commands()).hasSize(1);
    }

    @Test
    void a_server_in_a_lease_does_not_join_it_again() {
        cloud.write(WEB, Map.of("lease_id", LEASE.toString()));
        world.put(of(PROJECT, LeaseStatus.ACTIVE));
        look();
        ChangeLease change = (ChangeLease) commands.commands().getFirst();
        world.put(joined(change));
        cloud.write(WEB, Map.of("lease_id", " " + LEASE));

        look();

        assertThat(commands.commands()).hasSize(1);
        assertThat(cloud.answers()).isEmpty();
    }

    @Test
    void a_tag_of_a_server_that_was_removed_from_the_lease_is_denied() {
        world.put(of(PROJECT, LeaseStatus.ACTIVE));
        // The engine drops the addition of a reservation that the lease had.
        commands.answer(_ -> new Outcome.Accepted<>(1));

        says(
                "lease_id",
                LEASE.toString(),
                "It was removed from the lease: write something else to add it again");

        assertThat(commands.commands()).hasSize(1);
    }

    @Test
    void a_start_time_in_the_past_is_replaced_by_the_current_time() {
        cloud.write(
                WEB,
                Map.of(
                        "lease_params",
                        "{\"start\": \"2020-01-01 09:00\", \"end\": \"2031-01-01 00:00\"}"));

        look();

        assertThat(((CreateLease) commands.commands().getFirst()).start()).isEqualTo(now);
    }

    @Test
    void a_server_cannot_have_two_leases_in_overlapping_windows() {
        world.put(of(PROJECT, LeaseStatus.ACTIVE));
        cloud.write(WEB, Map.of("lease_id", LEASE.toString()));
        look();
        LeaseView lease = joined((ChangeLease) commands.commands().getFirst());
        world.put(lease);

        says(
                "lease_params",
                "{\"end\": \"2031-01-01 00:00\"}",
                "It is in lease %s until %s: change that one"
                        .formatted(LEASE, lease.period().end()));

        String after = lease.period().end().toString();
        cloud.write(
                WEB,
                Map.of(
                        "lease_params",
                        "{\"start\": \"%s\", \"end\": \"2031-01-01 00:00\"}".formatted(after)));
        look();
        assertThat(commands.commands()).hasSize(2);
    }

    @Test
    void a_poll_is_limited_to_50_lease_tags() {
        for (int i = 0; i < 60; i++) {
            cloud.write(new UUID(0, i).toString(), Map.of("lease_params", TERMS));
        }

        look();
        assertThat(commands.commands()).hasSize(50);

        look();
        assertThat(commands.commands()).hasSize(60).doesNotHaveDuplicates();
    }

    @Test
    void an_inactive_node_does_not_poll() {
        cloud.write(WEB, Map.of("lease_params", TERMS));

        watch(false).poll();

        assertThat(commands.commands()).isEmpty();
    }
}
