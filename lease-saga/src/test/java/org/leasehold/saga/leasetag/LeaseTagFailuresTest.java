package org.leasehold.saga.leasetag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.saga.leasetag.FakeServers.PROJECT;

import org.junit.jupiter.api.Test;
import org.leasehold.command.ContentionException;
import org.leasehold.command.Outcome;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.readmodel.lease.LeaseStatus;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Tests lease tags that cannot be granted yet, and pollers that fail or are restarted. */
class LeaseTagFailuresTest extends LeaseTagFixture {

    @Test
    void a_refusal_is_reported_once_and_removed_after_a_later_grant() {
        commands.answer(_ -> new Outcome.Refused<>(List.of(), 1));
        cloud.write(WEB, Map.of("lease_params", TERMS));
        look();
        look();
        assertThat(commands.commands()).hasSize(1);
        assertThat(cloud.answers()).containsExactly(WEB + ": There is no room for it then");

        commands.answer(_ -> new Outcome.Accepted<>(1));
        cloud.write(
                WEB,
                Map.of(
                        "lease_params",
                        "{\"end\": \"2031-01-01 00:00\"}",
                        "lease_error",
                        "There is no room for it then"));
        look();

        assertThat(cloud.on(WEB)).containsOnlyKeys("lease_params");
    }

    @Test
    void a_retry_after_a_crash_uses_the_same_lease_id_and_reports_no_error() {
        cloud.write(WEB, Map.of("lease_params", TERMS));
        commands.answer(
                _ -> {
                    throw new IllegalStateException("dead");
                });
        look();
        look();
        assertThat(commands.commands()).hasSize(1);

        now = now.plus(Duration.ofMinutes(1));
        world.put(of(commands.commands().getFirst().leaseId(), PROJECT, LeaseStatus.PENDING));
        commands.answer(
                sent ->
                        new Outcome.Rejected<>(
                                new LeaseRejection.LeaseExists(sent.command().leaseId())));
        look();

        assertThat(commands.commands()).hasSize(2);
        assertThat(commands.commands().getLast().leaseId())
                .isEqualTo(commands.commands().getFirst().leaseId());
        assertThat(cloud.answers()).isEmpty();
    }

    @Test
    void a_refusal_that_a_crash_left_unreported_is_reported_later() {
        cloud.write(WEB, Map.of("lease_params", TERMS));
        commands.answer(
                sent ->
                        new Outcome.Rejected<>(
                                new LeaseRejection.LeaseExists(sent.command().leaseId())));

        look();

        assertThat(cloud.on(WEB))
                .containsEntry("lease_error", "This was refused or is over: write something else");
    }

    @Test
    void an_unavailable_cloud_or_a_contention_is_retried() {
        cloud.write(WEB, Map.of("lease_params", TERMS));
        cloud.away(true);
        look();
        assertThat(commands.commands()).isEmpty();
        assertThat(failedPolls.polls()).containsExactly("lease_tags virtual:server");

        cloud.away(false);
        commands.answer(
                _ -> {
                    throw new ContentionException("busy", new IllegalStateException());
                });
        look();
        now = now.plus(Duration.ofMinutes(1));
        commands.answer(_ -> new Outcome.Accepted<>(1));
        look();
        look();

        assertThat(commands.commands()).hasSize(2);
    }

    @Test
    void a_failing_lease_tag_does_not_block_other_lease_tags() {
        cloud.write(new UUID(0, 1).toString(), Map.of("lease_params", TERMS));
        cloud.write(WEB, Map.of("lease_params", TERMS));
        commands.answer(
                _ -> {
                    if (commands.commands().size() == 1) {
                        throw new IllegalStateException("broken");
                    }
                    return new Outcome.Refused<>(List.of(), 1);
                });

        look();

        assertThat(cloud.answers()).containsExactly(WEB + ": There is no room for it then");
    }

    @Test
    void a_lost_error_message_is_written_again_after_an_hour() {
        cloud.write(WEB, Map.of("lease_id", "mine"));
        look();
        cloud.write(WEB, Map.of("lease_id", "mine"));
        look();
        assertThat(cloud.answers()).hasSize(1);

        now = now.plus(Duration.ofHours(1));
        look();

        assertThat(cloud.answers()).hasSize(2);
    }

    @Test
    void a_lease_tag_that_is_missing_for_20_hours_is_not_processed_again() {
        cloud.write(WEB, Map.of("lease_params", TERMS));
        look();
        now = now.plus(Duration.ofHours(20));
        look();
        cloud.write(WEB, Map.of());
        now = now.plus(Duration.ofHours(20));
        look();
        cloud.write(WEB, Map.of("lease_params", TERMS));
        look();

        assertThat(commands.commands()).hasSize(1);
    }

    @Test
    void a_lease_tag_that_is_missing_for_25_hours_is_processed_again() {
        cloud.write(WEB, Map.of("lease_params", TERMS));
        look();
        cloud.write(WEB, Map.of());
        now = now.plus(Duration.ofHours(25));
        look();

        cloud.write(WEB, Map.of("lease_params", TERMS));
        look();

        assertThat(commands.commands()).hasSize(2);
    }
}
