package org.leasehold.saga.defaultlease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.saga.defaultlease.FakeServers.PROJECT;
import static org.leasehold.saga.defaultlease.FakeServers.id;
import static org.leasehold.saga.defaultlease.FakeServers.server;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.command.ContentionException;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.operation.DefaultLeases;
import org.leasehold.readmodel.operation.DefaultLeases.Server;
import org.leasehold.readmodel.operation.DefaultLeases.Verdict;
import org.leasehold.readmodel.operation.Drift.Unseen;
import org.leasehold.resource.LeasableObject.State;
import org.leasehold.saga.fakes.Samples;
import org.leasehold.vocabulary.LeaseId;

import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Map;

class DefaultLeaseReportTest extends DefaultLeaseFixture {

    private static final String WEB = id(1);

    @Test
    void a_dry_run_lists_affected_servers_and_requests_nothing() {
        cloud.put(server(WEB));
        cloud.put(server(id(2), Map.of(), null, State.SHELVED, null));
        cloud.put(server(id(3), Map.of(), null, State.UNREADY, null));
        cloud.put(server(id(4), Map.of(), null, State.READY, "The host is leased"));

        DefaultLeases.Report report = report(false);

        assertThat(report.enabled()).isFalse();
        assertThat(report.servers())
                .containsExactly(
                        reported(1, Verdict.AFFECTED, null),
                        reported(2, Verdict.EXEMPT, "The server is shelved"),
                        reported(3, Verdict.PENDING, "The server is not ready"),
                        reported(4, Verdict.REFUSED, "The host is leased"));
        assertThat(engine.requests()).isEmpty();
        assertThat(table.findAll(ResourceKind.SERVER)).isEmpty();
    }

    @Test
    void a_leased_server_is_reported_with_the_lease() {
        cloud.put(server(WEB));
        poll();
        LeaseId lease = engine.requests().getFirst().leaseId();

        assertThat(only(true).verdict()).isEqualTo(Verdict.LEASED);
        assertThat(only(true).lease()).isEqualTo(lease);
        leases.hide(lease);
        assertThat(only(true).lease()).isEqualTo(lease);
    }

    @Test
    void a_refusal_is_reported_with_the_next_attempt() {
        engine.setFull(true);
        cloud.put(server(WEB));
        poll();

        Server refused = only(true);

        assertThat(refused.verdict()).isEqualTo(Verdict.REFUSED);
        assertThat(refused.reason()).isEqualTo("There is no room for it then");
        assertThat(refused.lease()).isNull();
        assertThat(refused.nextAttempt()).isEqualTo(now().plus(Duration.ofMinutes(10)));
        assertThat(only(false).verdict()).as("in a dry run").isEqualTo(Verdict.AFFECTED);
    }

    @Test
    void a_running_request_is_reported_as_pending() {
        cloud.put(server(WEB));
        table.claim(server(WEB), Samples.lease(1), now(), now().plusSeconds(60));

        assertThat(only(true).verdict()).isEqualTo(Verdict.PENDING);
        assertThat(only(true).reason()).isEqualTo("A request is in progress");
    }

    @Test
    void a_server_of_a_leased_stack_is_reported_with_the_lease_of_the_stack() {
        cloud.put(server(WEB));
        LeaseId stack = engine.leaseStack();
        cloud.stacks().put(WEB);
        assertThat(only(false).verdict()).isEqualTo(Verdict.LEASED);
        assertThat(only(false).lease()).isEqualTo(stack);

        cloud.stacks().setAway(true);

        assertThat(only(false).verdict()).isEqualTo(Verdict.PENDING);
        assertThat(only(false).reason())
                .isEqualTo("The servers of a leased stack could not be listed");
    }

    @Test
    void an_unknown_result_is_reported_with_the_reason() {
        cloud.put(server(WEB));
        engine.commands.answer(
                _ -> {
                    throw new ContentionException("busy", new IllegalStateException());
                });
        poll();

        assertThat(only(true).reason()).isEqualTo("Other requests are decided at the same time");
        assertThat(only(true).nextAttempt()).isEqualTo(now().plus(Duration.ofMinutes(10)));
    }

    @Test
    void a_cloud_that_does_not_respond_is_reported() {
        cloud.setAway(true);

        DefaultLeases.Report report = report(true);

        assertThat(report.servers()).isEmpty();
        assertThat(report.unseen()).containsExactly(new Unseen(ResourceKind.SERVER, "away"));
    }

    private static Server reported(int number, Verdict verdict, @Nullable String reason) {
        return new Server(id(number), PROJECT, "m1.small", verdict, reason, null, null);
    }

    private Server only(boolean enabled) {
        assertThat(report(enabled).servers()).hasSize(1);
        return report(enabled).servers().getFirst();
    }

    private DefaultLeases.Report report(boolean enabled) {
        return new DefaultLeaseReport(
                        cloud,
                        leases,
                        assessor(DefaultLeaseSettingsTest.bind(settings)),
                        table,
                        enabled,
                        Clock.fixed(now(), ZoneOffset.UTC))
                .report();
    }
}
