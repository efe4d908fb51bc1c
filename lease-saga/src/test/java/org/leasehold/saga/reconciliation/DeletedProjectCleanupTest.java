package org.leasehold.saga.reconciliation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.saga.fakes.Samples.LEASE;
import static org.leasehold.saga.fakes.Samples.PERIOD;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.leasehold.lease.Fault;
import org.leasehold.lease.LeaseCommand.DeleteLease;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.resource.identity.Projects;
import org.leasehold.resource.identity.Projects.Search;
import org.leasehold.resource.identity.Projects.Standing;
import org.leasehold.saga.SagaSettings;
import org.leasehold.saga.fakes.FakeCommands;
import org.leasehold.saga.fakes.FakeReadModel;
import org.leasehold.saga.fakes.Samples;
import org.leasehold.saga.fakes.TestClock;
import org.leasehold.saga.node.Node;
import org.leasehold.vocabulary.LeaseId;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** A test of the setting for leases of deleted projects that have not started. */
class DeletedProjectCleanupTest {

    private final FakeReadModel world = new FakeReadModel();
    private final FakeCommands commands = new FakeCommands();
    private final TestClock clock = new TestClock();
    private final DeletedProjectCleanup policy = policy("cancel", true, this::standing);

    private Search standing = new Search.Known(Standing.DELETED);

    @BeforeEach
    void aLeaseThatHasNotStarted() {
        world.put(lease(LEASE, LeaseStatus.PENDING));
    }

    @Test
    void a_lease_of_a_project_that_stays_deleted_is_deleted_with_a_reason() {
        policy.poll();
        assertThat(commands.sent()).isEmpty();

        clock.putForward(DeletedProjectCleanup.CONFIRMATION_PERIOD);
        policy.poll();

        assertThat(commands.sent())
                .singleElement()
                .satisfies(
                        sent -> {
                            assertThat(sent.command()).isEqualTo(new DeleteLease(LEASE));
                            assertThat(sent.context().reason())
                                    .isEqualTo(DeletedProjectCleanup.REASON);
                            assertThat(sent.context().authentication()).isEqualTo("engine");
                            assertThat(sent.context().user()).isNull();
                            // A lease that starts meanwhile has another version, and continues.
                            assertThat(sent.context().expectedVersions()).isEqualTo(Set.of(7L));
                        });
    }

    @Test
    void a_lease_is_kept_until_the_confirmation_time_has_passed() {
        policy.poll();
        clock.putForward(DeletedProjectCleanup.CONFIRMATION_PERIOD.minusMinutes(1));
        policy.poll();

        assertThat(commands.sent()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Fault.Kind.class)
    void an_unknown_project_state_deletes_nothing_and_restarts_the_wait(Fault.Kind kind) {
        policy.poll();
        clock.putForward(DeletedProjectCleanup.CONFIRMATION_PERIOD);
        standing = new Search.Unknown(new Fault(kind, "no answer"));
        policy.poll();
        policy.poll();
        standing = new Search.Known(Standing.DELETED);
        policy.poll();
        assertThat(commands.sent()).isEmpty();

        clock.putForward(DeletedProjectCleanup.CONFIRMATION_PERIOD);
        policy.poll();
        assertThat(commands.sent()).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(
            value = Standing.class,
            names = {"ENABLED", "DISABLED"})
    void a_project_that_exists_again_keeps_pending_leases(Standing again) {
        policy.poll();
        standing = new Search.Known(again);
        policy.poll();
        standing = new Search.Known(Standing.DELETED);
        clock.putForward(DeletedProjectCleanup.CONFIRMATION_PERIOD);
        policy.poll();

        assertThat(commands.sent()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(LeaseStatus.class)
    void only_leases_that_have_not_started_are_deleted(LeaseStatus status) {
        world.put(lease(LEASE, status));
        policy.poll();
        clock.putForward(DeletedProjectCleanup.CONFIRMATION_PERIOD);
        policy.poll();

        Set<LeaseStatus> notStarted =
                EnumSet.of(LeaseStatus.RETRYING, LeaseStatus.PENDING, LeaseStatus.DELAYED);
        assertThat(commands.sent()).hasSize(notStarted.contains(status) ? 1 : 0);
    }

    @Test
    void the_default_setting_keeps_the_leases_of_deleted_projects() {
        assertThat(SagaSettings.defaults().ofDeletedProjects())
                .isEqualTo(SagaSettings.OfDeletedProjects.KEEP);

        deletesNothing(policy("keep", true, this::standing));
    }

    @Test
    void an_inactive_node_deletes_no_leases() {
        deletesNothing(policy("cancel", false, this::standing));
    }

    @Test
    void an_engine_without_keystone_deletes_no_leases() {
        deletesNothing(policy("cancel", true, null));
    }

    private void deletesNothing(DeletedProjectCleanup other) {
        other.poll();
        clock.putForward(DeletedProjectCleanup.CONFIRMATION_PERIOD);
        other.poll();
        assertThat(commands.sent()).isEmpty();
    }

    private Search standing(Object project) {
        return standing;
    }

    /** Creates the policy as the engine does. */
    private DeletedProjectCleanup policy(
            String setting, boolean works, @Nullable Projects projects) {
        SagaSettings settings =
                new Binder(
                                new MapConfigurationPropertySource(
                                        Map.of("leasehold.saga.of-deleted-projects", setting)))
                        .bindOrCreate("leasehold.saga", SagaSettings.class);
        StaticListableBeanFactory beans = new StaticListableBeanFactory();
        if (projects != null) {
            beans.addBean("projects", projects);
        }
        return new ReconciliationConfiguration()
                .deletedProjects(
                        world,
                        beans.getBeanProvider(Projects.class),
                        commands,
                        settings,
                        clock,
                        new Node("node-1", works));
    }

    private static LeaseView lease(LeaseId id, LeaseStatus status) {
        LeaseView sample = Samples.view(id, PERIOD);
        return new LeaseView(
                id,
                sample.projectId(),
                sample.userId(),
                sample.name(),
                status,
                sample.period(),
                sample.beforeEnd(),
                sample.explanation(),
                sample.reservations(),
                sample.scheduledEvents(),
                sample.createdAt(),
                sample.updatedAt(),
                7,
                null,
                null);
    }
}
