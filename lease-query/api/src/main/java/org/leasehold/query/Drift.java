package org.leasehold.query;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseId;
import org.leasehold.lease.ProjectId;
import org.leasehold.lease.ReservationId;
import org.leasehold.lease.TrustId;
import org.leasehold.lease.UserId;

import java.util.List;

/** Where the cloud is not as it should be. */
public interface Drift {

    /** Asks the cloud, which takes as long as the cloud takes; changes nothing. */
    Comparison compare();

    /**
     * What does not fit, kind by kind.
     *
     * @param leftovers what should not be there
     * @param missing what should
     * @param squatters servers that are where nobody has a lease
     * @param strays enrolled resources that are not where they belong
     * @param orphans trusts that no lease has
     * @param abandoned leases of projects that are deleted or disabled
     * @param unseen the kinds of which nothing is known, because their cloud did not answer
     */
    record Comparison(
            List<Leftover> leftovers,
            List<Missing> missing,
            List<Squatter> squatters,
            List<Stray> strays,
            List<Orphan> orphans,
            List<Abandoned> abandoned,
            List<Unseen> unseen) {

        public Comparison {
            leftovers = List.copyOf(leftovers);
            missing = List.copyOf(missing);
            squatters = List.copyOf(squatters);
            strays = List.copyOf(strays);
            orphans = List.copyOf(orphans);
            abandoned = List.copyOf(abandoned);
            unseen = List.copyOf(unseen);
        }
    }

    /**
     * Things that bear the name of a reservation that holds nothing: an operator gave up on their
     * removal, or somebody else made them.
     */
    record Leftover(ResourceKind kind, ReservationId reservation, List<String> things) {

        public Leftover {
            things = List.copyOf(things);
        }
    }

    /** An active reservation of which the cloud has nothing: somebody has removed it. */
    record Missing(ResourceKind kind, LeaseId lease, ReservationId reservation) {}

    /**
     * A server on a resource that is nobody's now: it outlived a lease, or an administrator forced
     * it there.
     *
     * @param id what the cloud calls it
     * @param name what its owner calls it
     * @param resource the name of what it is on
     * @param reservation the one that is over, whose slot it has; null for none
     */
    record Squatter(
            ResourceKind kind,
            String id,
            String name,
            String resource,
            ProjectId project,
            @Nullable ReservationId reservation) {}

    /**
     * An enrolled resource that is neither in the cloud's pool of leasable ones nor in a
     * reservation: somebody removed it there. The engine puts it back.
     *
     * @param name what the cloud calls it
     * @param reservation the one that holds it as a whole; null for none
     */
    record Stray(
            ResourceKind kind,
            ResourceId resource,
            String name,
            @Nullable ReservationId reservation) {}

    /**
     * A trust that somebody gave the engine, and that no lease has: Keystone's answer was lost, for
     * instance, or a backup was restored.
     *
     * @param user who gave it
     * @param project the one that it is for; null for none
     */
    record Orphan(TrustId trust, UserId user, @Nullable ProjectId project) {}

    /**
     * A lease that is not over, of a project that is deleted or disabled. It goes on until an
     * operator deletes it: a project may be disabled for an hour.
     *
     * @param deleted whether the project is unknown now; false if it is disabled
     */
    record Abandoned(LeaseId lease, ProjectId project, boolean deleted) {}

    /**
     * A kind whose cloud did not answer.
     *
     * @param kind {@code trust} or {@code project} if it says nothing of those
     * @param why what it said instead
     */
    record Unseen(ResourceKind kind, String why) {}
}
