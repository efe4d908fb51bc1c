package org.leasehold.saga.reconciliation;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.SortDirection;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.readmodel.lease.Leases.ListLeases;
import org.leasehold.readmodel.operation.Drift.Abandoned;
import org.leasehold.readmodel.operation.Drift.Unseen;
import org.leasehold.resource.identity.Projects;
import org.leasehold.resource.identity.Projects.Search;
import org.leasehold.resource.identity.Projects.Standing;
import org.leasehold.vocabulary.ProjectId;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Leases that have not ended, of projects that no user can use any more. */
final class AbandonedLeases {

    /** A kind without resources, for the list of the unseen. */
    private static final ResourceKind PROJECT_KIND = new ResourceKind("project");

    private static final Set<LeaseStatus> UNENDED_STATUSES =
            EnumSet.of(
                    LeaseStatus.RETRYING,
                    LeaseStatus.PENDING,
                    LeaseStatus.DELAYED,
                    LeaseStatus.STARTING,
                    LeaseStatus.ACTIVE,
                    LeaseStatus.ERROR);

    private static final int PAGE_SIZE = 1_000;

    private final Leases leases;
    private final @Nullable Projects projects;

    /**
     * Compares leases with projects.
     *
     * @param projects null where users do not log in with the cloud
     */
    AbandonedLeases(Leases leases, @Nullable Projects projects) {
        this.leases = leases;
        this.projects = projects;
    }

    /**
     * Queries each project once, and stops at the first one without an answer from the cloud.
     *
     * @param unseen receives the cloud's fault
     */
    List<Abandoned> find(List<Unseen> unseen) {
        List<Abandoned> abandoned = new ArrayList<>();
        if (projects == null) {
            return abandoned;
        }
        Map<ProjectId, Standing> standings = new HashMap<>();
        for (LeaseView lease : listLeases(leases, UNENDED_STATUSES)) {
            ProjectId project = lease.projectId();
            if (!standings.containsKey(project)) {
                switch (projects.find(project)) {
                    case Search.Known(var standing) -> standings.put(project, standing);
                    case Search.Unknown(var fault) -> {
                        unseen.add(new Unseen(PROJECT_KIND, fault.message()));
                        return abandoned;
                    }
                }
            }
            if (standings.get(project) != Standing.ENABLED) {
                abandoned.add(
                        new Abandoned(
                                lease.id(), project, standings.get(project) == Standing.DELETED));
            }
        }
        return abandoned;
    }

    /** Returns the leases of all projects that have one of some states. */
    static List<LeaseView> listLeases(Leases leases, Set<LeaseStatus> statuses) {
        ListLeases question =
                new ListLeases(null, statuses, null, SortDirection.ASCENDING, null, PAGE_SIZE);
        Page<LeaseView> page = leases.list(question);
        List<LeaseView> all = new ArrayList<>(page.items());
        for (String next = page.next(); next != null; next = page.next()) {
            page = leases.list(question.after(next));
            all.addAll(page.items());
        }
        return all;
    }
}
