package org.leasehold.saga.leasetag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.saga.fakes.Samples.LEASE;
import static org.leasehold.saga.fakes.Samples.NOON;
import static org.leasehold.saga.fakes.Samples.PERIOD;
import static org.leasehold.saga.fakes.Samples.RESERVATION;
import static org.leasehold.saga.leasetag.FakeServers.PROJECT;

import org.leasehold.command.Outcome;
import org.leasehold.lease.LeaseCommand.ChangeLease;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.ReservationView;
import org.leasehold.saga.fakes.Database;
import org.leasehold.saga.fakes.FakeCommands;
import org.leasehold.saga.fakes.FakeCommands.Sent;
import org.leasehold.saga.fakes.FakeFailedPolls;
import org.leasehold.saga.fakes.FakeReadModel;
import org.leasehold.saga.fakes.Samples;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;

/** Servers with lease tags, and a poller that requests leases for them. */
abstract class LeaseTagFixture {

    static final String WEB = "11111111-1111-1111-1111-111111111111";
    static final String TERMS =
            """
            {"start": "2030-01-02 09:00", "end": "2030-01-02T17:00:00Z", "name": "office",
             "before_end": "2030-01-02 16:30", "on_end": "stop"}
            """;

    final FakeServers cloud = new FakeServers();
    final FakeReadModel world = new FakeReadModel();
    final FakeCommands commands = new FakeCommands();
    private final LeaseTagTable table = new LeaseTagTable(JdbcClient.create(Database.empty()));
    final FakeFailedPolls failedPolls = new FakeFailedPolls();
    Instant now = NOON;

    LeaseTagFixture() {
        commands.answer(this::accept);
    }

    private Outcome<LeaseRejection> accept(Sent sent) {
        if (sent.command() instanceof ChangeLease change) {
            world.put(joined(change));
        }
        return new Outcome.Accepted<>(1);
    }

    void says(String key, String text, String problem) {
        cloud.write(WEB, Map.of(key, text));
        look();
        assertThat(cloud.on(WEB)).as(text).containsEntry("lease_error", problem);
    }

    void look() {
        watch(true).poll();
    }

    LeaseTagPoller watch(boolean works) {
        Clock clock = Clock.fixed(now, ZoneOffset.UTC);
        return new LeaseTagPoller(
                cloud,
                new LeaseTagHandler(world, commands, clock),
                table,
                clock,
                failedPolls,
                () -> works);
    }

    static LeaseView of(ProjectId project, LeaseStatus status) {
        return of(LEASE, project, status);
    }

    static LeaseView of(LeaseId id, ProjectId project, LeaseStatus status) {
        return with(Samples.view(id, PERIOD, RESERVATION), project, status, List.of());
    }

    static LeaseView joined(ChangeLease change) {
        return with(
                Samples.view(LEASE, PERIOD, RESERVATION),
                PROJECT,
                LeaseStatus.ACTIVE,
                change.further().stream()
                        .map(
                                wish ->
                                        Samples.active(
                                                wish.id(), wish.kind(), wish.parameters(), NOON))
                        .toList());
    }

    private static LeaseView with(
            LeaseView lease,
            ProjectId project,
            LeaseStatus status,
            List<ReservationView> reservations) {
        return new LeaseView(
                lease.id(),
                project,
                lease.userId(),
                lease.name(),
                status,
                lease.period(),
                null,
                null,
                reservations,
                List.of(),
                NOON,
                null,
                1,
                null,
                null);
    }
}
