package org.leasehold.saga.reconciliation;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.CommandContext;
import org.leasehold.command.Commands;
import org.leasehold.command.Outcome;
import org.leasehold.lease.LeaseCommand.DeleteLease;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.resource.identity.Projects;
import org.leasehold.resource.identity.Projects.Search;
import org.leasehold.resource.identity.Projects.Standing;
import org.leasehold.vocabulary.ProjectId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * The policy that deletes leases that have not started if the cloud has deleted their project. Two
 * answers must confirm that, with {@link #CONFIRMATION_PERIOD} between and no other answer.
 *
 * <p>Every node polls: leases that one has deleted the others do not find.
 */
final class DeletedProjectCleanup {

    /** The reason in the events of the lease. */
    static final String REASON = "The project of the lease was deleted in Keystone";

    /** The time that an operator has to restore a project, or Keystone's database. */
    static final Duration CONFIRMATION_PERIOD = Duration.ofMinutes(10);

    private static final Logger LOG = LoggerFactory.getLogger(DeletedProjectCleanup.class);

    private static final Set<LeaseStatus> NOT_STARTED =
            EnumSet.of(LeaseStatus.RETRYING, LeaseStatus.PENDING, LeaseStatus.DELAYED);

    private final Leases leases;
    private final @Nullable Projects projects;
    private final Commands commands;
    private final Clock clock;
    private final BooleanSupplier pollingEnabled;

    /** The time since which every answer of the cloud says that a project is deleted. */
    private final Map<ProjectId, Instant> missingSince = new HashMap<>();

    /**
     * Creates the policy.
     *
     * @param projects null where users do not log in with the cloud: then there is nothing to do
     * @param wanted whether this node polls
     */
    DeletedProjectCleanup(
            Leases leases,
            @Nullable Projects projects,
            Commands commands,
            Clock clock,
            BooleanSupplier wanted) {
        this.leases = leases;
        this.projects = projects;
        this.commands = commands;
        this.clock = clock;
        this.pollingEnabled = wanted;
    }

    @Scheduled(fixedDelay = 5, timeUnit = TimeUnit.MINUTES)
    synchronized void poll() {
        if (projects == null || !pollingEnabled.getAsBoolean()) {
            return;
        }
        Map<ProjectId, List<LeaseView>> pending =
                AbandonedLeases.listLeases(leases, NOT_STARTED).stream()
                        .collect(Collectors.groupingBy(LeaseView::projectId));
        missingSince.keySet().retainAll(pending.keySet());
        for (Map.Entry<ProjectId, List<LeaseView>> each : pending.entrySet()) {
            switch (projects.find(each.getKey())) {
                case Search.Unknown(var fault) -> {
                    // The confirmation starts again: another Keystone may answer next.
                    missingSince.clear();
                    LOG.warn("Keystone says nothing about projects: {}", fault.message());
                    return;
                }
                case Search.Known(var standing) -> {
                    if (isDeletionConfirmed(each.getKey(), standing)) {
                        each.getValue().forEach(this::delete);
                    }
                }
            }
        }
    }

    private boolean isDeletionConfirmed(ProjectId project, Standing standing) {
        if (standing != Standing.DELETED) {
            missingSince.remove(project);
            return false;
        }
        Instant now = clock.instant();
        Instant since = missingSince.computeIfAbsent(project, _ -> now);
        return !now.isBefore(since.plus(CONFIRMATION_PERIOD));
    }

    /** Deletes a lease unless it has changed since it was read: it may be active by now. */
    private void delete(LeaseView lease) {
        CommandContext context =
                CommandContext.ofEngine(clock.instant(), "req-" + UUID.randomUUID(), null)
                        .withReason(REASON)
                        .withExpectedVersions(Set.of(lease.version()));
        if (commands.send(new DeleteLease(lease.id()), context) instanceof Outcome.Accepted) {
            LOG.atWarn()
                    .addKeyValue("lease_id", lease.id())
                    .addKeyValue("project_id", lease.projectId())
                    .log("A lease that has not started is deleted: {}", REASON);
        }
    }
}
