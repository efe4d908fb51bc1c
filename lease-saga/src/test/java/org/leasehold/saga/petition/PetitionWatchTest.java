package org.leasehold.saga.petition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.saga.fakes.Samples.LEASE;
import static org.leasehold.saga.fakes.Samples.NOON;
import static org.leasehold.saga.fakes.Samples.PERIOD;
import static org.leasehold.saga.fakes.Samples.RESERVATION;
import static org.leasehold.saga.petition.FakeServers.PROJECT;
import static org.leasehold.saga.petition.FakeServers.USER;

import org.junit.jupiter.api.Test;
import org.leasehold.command.ContentionException;
import org.leasehold.command.Outcome;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseCommand.ChangeLease;
import org.leasehold.lease.LeaseCommand.CreateLease;
import org.leasehold.lease.LeaseId;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.lease.ProjectId;
import org.leasehold.query.LeaseStatus;
import org.leasehold.query.LeaseView;
import org.leasehold.query.ReservationView;
import org.leasehold.saga.fakes.Database;
import org.leasehold.saga.fakes.FakeCommands;
import org.leasehold.saga.fakes.FakeWorld;
import org.leasehold.saga.fakes.Samples;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.UUID;

class PetitionWatchTest {

    private static final String WEB = "11111111-1111-1111-1111-111111111111";
    private static final String TERMS =
            """
            {"start": "2030-01-02 09:00", "end": "2030-01-02T17:00:00Z", "name": "office",
             "before_end": "2030-01-02 16:30", "on_end": "stop"}
            """;

    private final FakeServers cloud = new FakeServers();
    private final FakeWorld world = new FakeWorld();
    private final FakeCommands commands = new FakeCommands();
    private final PetitionTable table = new PetitionTable(JdbcClient.create(Database.empty()));
    private Instant now = NOON;

    @Test
    void a_server_with_terms_gets_a_lease_in_the_name_of_its_project_and_its_user() {
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
        assertThat(cloud.told()).isEmpty();
    }

    @Test
    void what_was_heard_is_not_heard_again_and_another_wording_is() {
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
    void a_refusal_is_told_once_and_goes_when_something_else_is_granted() {
        commands.answer(_ -> new Outcome.Refused<>(List.of(), 1));
        cloud.write(WEB, Map.of("lease_params", TERMS));
        look();
        look();
        assertThat(commands.commands()).hasSize(1);
        assertThat(cloud.told()).containsExactly(WEB + ": There is no room for it then");

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
    void whoever_dies_before_they_could_tell_is_followed_by_another_who_makes_nothing_new() {
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
        assertThat(cloud.told()).isEmpty();
    }

    @Test
    void what_was_refused_to_who_died_then_is_told_by_another() {
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
    void what_makes_no_sense_is_told() {
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

    private void says(String key, String text, String problem) {
        cloud.write(WEB, Map.of(key, text));
        look();
        assertThat(cloud.on(WEB)).as(text).containsEntry("lease_error", problem);
    }

    @Test
    void a_server_joins_a_lease_of_its_project() {
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
    void another_projects_lease_does_not_exist() {
        world.put(of(new ProjectId("biology"), LeaseStatus.ACTIVE));

        says("lease_id", LEASE.toString(), "There is no lease " + LEASE);

        assertThat(commands.commands()).isEmpty();
    }

    @Test
    void a_lease_that_starts_is_joined_when_it_has_started_and_one_that_ends_is_not() {
        world.put(of(PROJECT, LeaseStatus.STARTING));
        cloud.write(WEB, Map.of("lease_id", LEASE.toString()));
        look();
        assertThat(commands.commands()).isEmpty();
        assertThat(cloud.told()).isEmpty();

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
    void what_a_lease_has_already_does_not_join_it() {
        cloud.write(WEB, Map.of("lease_id", LEASE.toString()));
        world.put(of(PROJECT, LeaseStatus.ACTIVE));
        look();
        ChangeLease change = (ChangeLease) commands.commands().getFirst();
        world.put(joined(change));
        cloud.write(WEB, Map.of("lease_id", " " + LEASE));

        look();

        assertThat(commands.commands()).hasSize(1);
        assertThat(cloud.told()).isEmpty();
    }

    @Test
    void who_is_busy_or_away_is_asked_again() {
        cloud.write(WEB, Map.of("lease_params", TERMS));
        cloud.away(true);
        look();
        assertThat(commands.commands()).isEmpty();

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
    void one_that_breaks_something_keeps_no_other_from_being_heard() {
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

        assertThat(cloud.told()).containsExactly(WEB + ": There is no room for it then");
    }

    @Test
    void what_is_heard_late_starts_at_once() {
        cloud.write(
                WEB,
                Map.of(
                        "lease_params",
                        "{\"start\": \"2020-01-01 09:00\", \"end\": \"2031-01-01 00:00\"}"));

        look();

        assertThat(((CreateLease) commands.commands().getFirst()).start()).isEqualTo(now);
    }

    @Test
    void what_another_lease_has_in_that_window_has_none_of_its_own() {
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
    void no_look_hears_too_many() {
        for (int i = 0; i < 60; i++) {
            cloud.write(new UUID(0, i).toString(), Map.of("lease_params", TERMS));
        }

        look();
        assertThat(commands.commands()).hasSize(50);

        look();
        assertThat(commands.commands()).hasSize(60).doesNotHaveDuplicates();
    }

    @Test
    void what_does_not_stay_written_is_written_again_an_hour_later() {
        cloud.write(WEB, Map.of("lease_id", "mine"));
        look();
        cloud.write(WEB, Map.of("lease_id", "mine"));
        look();
        assertThat(cloud.told()).hasSize(1);

        now = now.plus(Duration.ofHours(1));
        look();

        assertThat(cloud.told()).hasSize(2);
    }

    @Test
    void what_one_look_misses_is_not_forgotten() {
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
    void what_is_gone_is_forgotten_after_a_day() {
        cloud.write(WEB, Map.of("lease_params", TERMS));
        look();
        cloud.write(WEB, Map.of());
        now = now.plus(Duration.ofHours(25));
        look();

        cloud.write(WEB, Map.of("lease_params", TERMS));
        look();

        assertThat(commands.commands()).hasSize(2);
    }

    @Test
    void a_node_that_does_not_act_does_not_look() {
        cloud.write(WEB, Map.of("lease_params", TERMS));

        watch(false).look();

        assertThat(commands.commands()).isEmpty();
    }

    private void look() {
        watch(true).look();
    }

    private PetitionWatch watch(boolean works) {
        Clock clock = Clock.fixed(now, ZoneOffset.UTC);
        return new PetitionWatch(
                cloud, new Hearing(world, commands, clock), table, clock, () -> works);
    }

    private static LeaseView of(ProjectId project, LeaseStatus status) {
        return of(LEASE, project, status);
    }

    private static LeaseView of(LeaseId id, ProjectId project, LeaseStatus status) {
        return with(Samples.view(id, PERIOD, RESERVATION), project, status, List.of());
    }

    private static LeaseView joined(ChangeLease change) {
        return with(
                Samples.view(LEASE, PERIOD, RESERVATION),
                PROJECT,
                LeaseStatus.ACTIVE,
                change.further().stream()
                        .map(
                                wish ->
                                        new ReservationView(
                                                wish.id(),
                                                wish.kind(),
                                                ReservationView.Status.ACTIVE,
                                                wish.parameters(),
                                                List.of(),
                                                null,
                                                false,
                                                false,
                                                null,
                                                NOON,
                                                null))
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
                1);
    }
}
