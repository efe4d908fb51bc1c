package org.leasehold.saga.leasetag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.saga.fakes.Samples.LEASE;
import static org.leasehold.saga.fakes.Samples.NOON;
import static org.leasehold.saga.fakes.Samples.PERIOD;
import static org.leasehold.saga.fakes.Samples.RESERVATION;
import static org.leasehold.saga.leasetag.FakeServers.PROJECT;
import static org.leasehold.saga.leasetag.FakeServers.USER;

import org.junit.jupiter.api.Test;
import org.leasehold.command.ContentionException;
import org.leasehold.command.Outcome;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.ReservationView;
import org.leasehold.resource.LeasableObject;
import org.leasehold.saga.fakes.Database;
import org.leasehold.saga.fakes.FakeCommands;
import org.leasehold.saga.fakes.FakeReadModel;
import org.leasehold.saga.fakes.Samples;
import org.leasehold.saga.node.FailedPolls;
import org.leasehold.vocabulary.ProjectId;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.time.Clock;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;

/** Tests the open lease tags against the poller that answers them. */
class OpenLeaseTagsTest {

    private static final String WEB = "11111111-1111-1111-1111-111111111111";
    private static final Map<String, String> TERMS =
            Map.of("lease_params", "{\"end\": \"2030-01-02 17:00\"}");
    private static final Map<String, String> JOINING = Map.of("lease_id", LEASE.toString());

    private final FakeServers cloud = new FakeServers();
    private final FakeReadModel world = new FakeReadModel();
    private final FakeCommands commands = new FakeCommands();
    private final JdbcClient jdbc = JdbcClient.create(Database.empty());

    @Test
    void a_tag_of_terms_is_open_until_the_grant() {
        assertThat(isOpen(TERMS)).isTrue();
        commands.answer(
                _ -> {
                    throw new ContentionException("busy", new IllegalStateException());
                });
        poll(TERMS);
        assertThat(isOpen(TERMS)).as("no answer").isTrue();
    }

    @Test
    void a_granted_tag_of_terms_is_not_open() {
        poll(TERMS);

        assertThat(commands.commands()).hasSize(1);
        assertThat(isOpen(TERMS)).isFalse();
        assertThat(isOpen(Map.of("lease_params", "{}"))).as("another text").isTrue();
    }

    @Test
    void a_denied_tag_is_not_open_before_the_error_is_written() {
        commands.answer(_ -> new Outcome.Refused<>(List.of(), 1));

        poll(TERMS);

        assertThat(isOpen(TERMS)).isFalse();
    }

    @Test
    void a_granted_tag_is_open_until_the_end_of_the_named_lease() {
        put(LeaseStatus.ACTIVE, PROJECT);
        poll(JOINING);
        assertThat(isOpen(JOINING)).isTrue();

        put(LeaseStatus.ENDED, PROJECT);
        assertThat(isOpen(JOINING)).isFalse();
        put(LeaseStatus.ACTIVE, new ProjectId("biology"));
        assertThat(isOpen(JOINING)).as("another project's").isFalse();
        world.forget(LEASE);
        assertThat(isOpen(JOINING)).isFalse();
    }

    @Test
    void a_granted_tag_is_not_open_after_the_removal_from_the_lease() {
        put(LeaseStatus.ACTIVE, PROJECT);
        poll(JOINING);
        assertThat(commands.commands()).isEmpty();

        put(LeaseStatus.ACTIVE, PROJECT, List.of(server("22222222-2222-2222-2222-222222222222")));

        assertThat(isOpen(JOINING)).isFalse();
    }

    @Test
    void a_denied_tag_with_a_wrong_id_is_not_open() {
        Map<String, String> wrong = Map.of("lease_id", "no id");
        poll(wrong);

        assertThat(isOpen(wrong)).isFalse();
    }

    @Test
    void no_tag_is_open_while_the_engine_processes_none() {
        assertThat(new OpenLeaseTags(jdbc, world, () -> false).find(cloud.kind(), of(TERMS)))
                .isEmpty();
        assertThat(isOpen(Map.of("role", "web"))).as("without a tag").isFalse();
    }

    private void poll(Map<String, String> metadata) {
        cloud.write(WEB, metadata);
        Clock clock = Clock.fixed(NOON, ZoneOffset.UTC);
        new LeaseTagPoller(
                        cloud,
                        new LeaseTagHandler(world, commands, clock),
                        new LeaseTagTable(jdbc),
                        clock,
                        FailedPolls.NONE,
                        () -> true)
                .poll();
    }

    private boolean isOpen(Map<String, String> metadata) {
        return new OpenLeaseTags(jdbc, world, () -> true)
                .find(cloud.kind(), of(metadata))
                .contains(WEB);
    }

    private static List<LeasableObject> of(Map<String, String> metadata) {
        return List.of(
                new LeasableObject(
                        ResourceKind.SERVER,
                        WEB,
                        PROJECT,
                        USER,
                        "m1.small",
                        metadata,
                        null,
                        LeasableObject.State.READY,
                        null));
    }

    private void put(LeaseStatus status, ProjectId project) {
        put(status, project, List.of(server(WEB)));
    }

    private void put(LeaseStatus status, ProjectId project, List<ReservationView> reservations) {
        world.put(
                new LeaseView(
                        LEASE,
                        project,
                        USER,
                        "joined",
                        status,
                        PERIOD,
                        null,
                        null,
                        reservations,
                        List.of(),
                        NOON,
                        null,
                        1,
                        null,
                        null));
    }

    private static ReservationView server(String id) {
        return Samples.active(RESERVATION, ResourceKind.SERVER, Map.of("server_id", id), NOON);
    }
}
