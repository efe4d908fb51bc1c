package org.leasehold.saga.defaultlease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.leasehold.saga.defaultlease.FakeServers.id;
import static org.leasehold.saga.defaultlease.FakeServers.server;
import static org.leasehold.saga.fakes.Samples.RESERVATION;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.command.Outcome;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseCommand.EndLease;
import org.leasehold.lease.LeaseRejection.VersionMismatch;
import org.leasehold.resource.LeasableObject;
import org.leasehold.saga.fakes.Samples;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Tests the default leases of servers that were deleted in the cloud. */
class DeletedServersTest extends DefaultLeaseFixture {

    private static final String WEB = id(1);
    private LeaseId lease;

    @BeforeEach
    void lease() {
        cloud.put(server(WEB));
        poll();
        lease = engine.requests().getFirst().leaseId();
    }

    @Test
    void the_default_lease_of_a_deleted_server_ends() {
        cloud.delete(WEB);

        poll();
        poll();

        assertThat(ends()).containsExactly(new EndLease(lease, EndCause.REQUESTED));
        assertThat(engine.commands.sent().getLast().context())
                .satisfies(
                        context -> {
                            assertThat(context.authentication()).isEqualTo("engine");
                            assertThat(context.reason()).isEqualTo("The server was deleted");
                            assertThat(context.expectedVersions()).isEqualTo(Set.of(1L));
                        });
        assertThat(table.findAll(ResourceKind.SERVER)).isEmpty();
    }

    @Test
    void a_lease_with_another_reservation_continues() {
        engine.extend(
                lease, Samples.active(RESERVATION, ResourceKind.PHYSICAL_HOST, Map.of(), now()));
        cloud.delete(WEB);

        poll();

        assertThat(ends()).isEmpty();
        assertThat(table.findAll(ResourceKind.SERVER)).isEmpty();
    }

    @Test
    void a_server_that_a_listing_lacks_keeps_the_lease() {
        cloud.setHidesServers(true);

        poll();

        assertThat(ends()).isEmpty();
        assertThat(table.findAll(ResourceKind.SERVER)).containsOnlyKeys(WEB);
    }

    @Test
    void a_missing_server_that_the_cloud_does_not_check_keeps_the_lease() {
        cloud.put(server(id(2)));
        poll();
        cloud.delete(WEB);
        cloud.setFailsChecks(true);

        poll();
        assertThat(ends()).isEmpty();
        assertThat(table.findAll(ResourceKind.SERVER)).containsOnlyKeys(WEB, id(2));
        cloud.setFailsChecks(false);
        poll();

        assertThat(ends()).containsExactly(new EndLease(lease, EndCause.REQUESTED));
    }

    @Test
    void a_server_that_moved_to_another_project_keeps_the_lease() {
        cloud.put(ofProject("biology"));

        poll();

        assertThat(ends()).isEmpty();
        assertThat(table.findAll(ResourceKind.SERVER)).containsOnlyKeys(WEB);
    }

    @Test
    void a_request_after_a_refusal_stores_the_present_project() {
        engine.end(lease);
        poll();
        cloud.put(ofProject("biology"));
        poll();

        assertThat(row(WEB).project()).isEqualTo(new ProjectId("biology"));
        assertThat(engine.requests().getLast().projectId()).isEqualTo(new ProjectId("biology"));
        cloud.delete(WEB);
        poll();
        assertThat(ends()).hasSize(1);
    }

    private static LeasableObject ofProject(String project) {
        LeasableObject server = server(WEB);
        return new LeasableObject(
                server.kind(),
                server.id(),
                new ProjectId(project),
                server.user(),
                server.flavor(),
                server.metadata(),
                server.createdAt(),
                server.state(),
                server.obstacle());
    }

    @Test
    void a_lease_ends_with_the_server_while_default_leases_are_off() {
        settings.put("enabled", "false");
        cloud.put(server(id(2)));
        poll();
        assertThat(engine.requests()).as("no request while off").hasSize(1);
        cloud.delete(WEB);

        poll();

        assertThat(ends()).containsExactly(new EndLease(lease, EndCause.REQUESTED));
        assertThat(table.findAll(ResourceKind.SERVER)).isEmpty();
    }

    @Test
    void nothing_is_listed_while_default_leases_are_off_and_have_ended() {
        settings.put("enabled", "false");
        engine.end(lease);
        cloud.afterListing(
                () -> {
                    throw new AssertionError("a listing");
                });

        poll();

        assertThat(table.findAll(ResourceKind.SERVER)).containsOnlyKeys(WEB);
    }

    @Test
    void a_lease_that_changes_at_the_same_time_ends_at_a_later_poll() {
        engine.commands.answer(_ -> new Outcome.Rejected<>(new VersionMismatch(lease, 2)));
        cloud.delete(WEB);
        poll();
        assertThat(table.findAll(ResourceKind.SERVER)).containsOnlyKeys(WEB);

        engine.commands.answer(_ -> new Outcome.Accepted<>(1));
        poll();

        assertThat(ends()).hasSize(2);
        assertThat(table.findAll(ResourceKind.SERVER)).isEmpty();
    }

    @Test
    void a_lease_that_has_ended_already_gets_no_command() {
        engine.end(lease);
        cloud.delete(WEB);

        poll();

        assertThat(ends()).isEmpty();
        assertThat(table.findAll(ResourceKind.SERVER)).isEmpty();
    }

    @Test
    void the_row_of_a_running_request_stays_until_the_timeout() {
        cloud.put(server(id(2)));
        engine.commands.answer(
                _ -> {
                    throw new NodeKilled();
                });
        assertThatThrownBy(() -> poll()).isInstanceOf(NodeKilled.class);
        cloud.delete(id(2));

        poll();
        assertThat(table.findAll(ResourceKind.SERVER)).containsOnlyKeys(WEB, id(2));
        step(Duration.ofMinutes(1));
        poll();

        assertThat(table.findAll(ResourceKind.SERVER)).containsOnlyKeys(WEB);
    }

    private List<EndLease> ends() {
        return engine.commands.commands().stream()
                .filter(EndLease.class::isInstance)
                .map(EndLease.class::cast)
                .toList();
    }
}
