package org.leasehold.command.execution;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.leasehold.command.CommandContext.Idempotency;
import org.leasehold.command.Commands;
import org.leasehold.command.Outcome;
import org.leasehold.command.Outcome.Accepted;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseCommand.DeleteLease;
import org.leasehold.lease.LeaseCommand.EndLease;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;

/** Tests that groups and concurrent nodes do not exceed the limit. */
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
class ConcurrentLeaseCountTest extends LeaseCountFixture {

    @Test
    void a_group_does_not_exceed_the_limit() throws Exception {
        create(first);

        List<Outcome<LeaseRejection>> outcomes =
                gathered(
                        IntStream.range(0, 2 * MAX_LEASES)
                                .<Callable<Outcome<LeaseRejection>>>mapToObj(
                                        _ -> () -> create(first))
                                .toList());

        assertThat(outcomes).filteredOn(Accepted.class::isInstance).hasSize(MAX_LEASES - 1);
        assertThat(outcomes).filteredOn(tooMany()::equals).hasSize(MAX_LEASES + 1);
        assertThat(counted()).isEqualTo(MAX_LEASES);
    }

    @Test
    void concurrent_nodes_do_not_exceed_the_limit() throws Exception {
        for (int round = 0; round < 20; round++) {
            ProjectId contested = new ProjectId("c-" + UUID.randomUUID());
            ProjectId other = new ProjectId("c-" + UUID.randomUUID());
            List<Callable<Outcome<LeaseRejection>>> sent = new ArrayList<>();
            for (int i = 0; i < 2 * MAX_LEASES; i++) {
                AnnotationConfigApplicationContext node = i % 2 == 0 ? first : second;
                // Each node uses the projects in another order.
                ProjectId one = i % 2 == 0 ? contested : other;
                ProjectId two = i % 2 == 0 ? other : contested;
                sent.add(() -> send(node, creation(new LeaseId(UUID.randomUUID()), one)));
                sent.add(() -> send(node, creation(new LeaseId(UUID.randomUUID()), two)));
            }

            List<Outcome<LeaseRejection>> outcomes = atOnce(sent);

            assertThat(outcomes).filteredOn(Accepted.class::isInstance).hasSize(2 * MAX_LEASES);
            assertThat(outcomes).filteredOn(tooMany()::equals).hasSize(2 * MAX_LEASES);
            assertThat(List.of(counted(contested), counted(other)))
                    .containsOnly((long) MAX_LEASES)
                    .isEqualTo(List.of(unfinished(contested), unfinished(other)));
        }
    }

    @Test
    void the_lease_count_equals_the_unfinished_leases_of_the_event_log() throws Exception {
        List<ProjectId> projects =
                IntStream.range(0, 3)
                        .mapToObj(_ -> new ProjectId("r-" + UUID.randomUUID()))
                        .toList();
        List<Callable<Outcome<LeaseRejection>>> lives = new ArrayList<>();
        for (int seed = 0; seed < 8; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            lives.add(() -> live(random, projects));
        }

        atOnce(lives);

        for (ProjectId each : projects) {
            assertThat(counted(each)).isEqualTo(unfinished(each)).isBetween(0L, (long) MAX_LEASES);
        }
    }

    /** Creates, repeats, tries, ends and deletes, with requests that are refused in between. */
    private Outcome<LeaseRejection> live(SplittableRandom random, List<ProjectId> projects) {
        List<LeaseId> leases = ids(6);
        Outcome<LeaseRejection> last = create(first);
        for (int step = 0; step < 120; step++) {
            AnnotationConfigApplicationContext node = random.nextBoolean() ? first : second;
            LeaseId lease = leases.get(random.nextInt(leases.size()));
            ProjectId project = projects.get(random.nextInt(projects.size()));
            last =
                    switch (random.nextInt(8)) {
                        case 0, 1, 2 ->
                                send(node, creation(new LeaseId(UUID.randomUUID()), project));
                        case 3 -> send(node, creation(lease, project));
                        case 4 -> send(node, hopeless(project));
                        case 5 -> repeated(node, project, "k-" + random.nextInt(20));
                        case 6 -> send(node, new EndLease(lease, EndCause.REQUESTED));
                        default -> end(node, random, project);
                    };
        }
        return last;
    }

    private Outcome<LeaseRejection> end(
            AnnotationConfigApplicationContext node, SplittableRandom random, ProjectId project) {
        List<String> there =
                jdbc.sql(
                                """
                                SELECT stream_id FROM domain_event
                                WHERE event_type = 'LeaseRequested'
                                    AND payload ->> 'projectId' = :project
                                ORDER BY position DESC LIMIT 8
                                """)
                        .param("project", project.value())
                        .query(String.class)
                        .list();
        return there.isEmpty()
                ? tooMany()
                : send(node, new DeleteLease(LeaseId.of(there.get(random.nextInt(there.size())))));
    }

    private Outcome<LeaseRejection> repeated(
            AnnotationConfigApplicationContext node, ProjectId project, String key) {
        return node.getBean(Commands.class)
                .send(
                        creation(new LeaseId(UUID.randomUUID()), project),
                        context(new Idempotency(project.value(), key, "hash")));
    }

    @Test
    void a_project_at_the_limit_does_not_split_a_group_of_other_projects() throws Exception {
        ids(MAX_LEASES).forEach(lease -> create(first, lease));
        ProjectId other = new ProjectId("o-" + UUID.randomUUID());
        List<Callable<Outcome<LeaseRejection>>> sent = new ArrayList<>();
        for (int i = 0; i < MAX_LEASES; i++) {
            sent.add(() -> create(first));
            sent.add(() -> send(first, creation(new LeaseId(UUID.randomUUID()), other)));
        }

        List<Outcome<LeaseRejection>> outcomes = gathered(sent);

        assertThat(outcomes).filteredOn(Accepted.class::isInstance).hasSize(MAX_LEASES);
        assertThat(
                        jdbc.sql(
                                        """
                                        SELECT count(DISTINCT xmin::text) FROM domain_event
                                        WHERE payload ->> 'projectId' = :project
                                        """)
                                .param("project", other.value())
                                .query(Long.class)
                                .single())
                .isOne();
    }
}
