package org.leasehold.readmodel.operation;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.TrustId;
import org.leasehold.vocabulary.UserId;

import java.util.List;
import java.util.stream.Stream;

/** The differences between the engine's state and the cloud. */
public interface Drift {

    /** Queries the cloud, which takes as long as the cloud takes; changes nothing. */
    Comparison compare();

    /**
     * The differences, kind by kind.
     *
     * @param leftovers objects that should not exist
     * @param missing objects that should exist
     * @param squatters servers on resources without a lease
     * @param strays enrolled resources that are outside their pool or reservation
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

        /** Returns the differences of all lists. */
        public List<Difference> all() {
            return Stream.of(leftovers, missing, squatters, strays, orphans, abandoned, unseen)
                    .<Difference>flatMap(List::stream)
                    .toList();
        }
    }

    /** A difference, or a kind whose differences are not known. */
    sealed interface Difference {}

    /**
     * Objects with the name of a reservation that holds nothing. An operator stopped their removal,
     * or another program made them.
     */
    record Leftover(ResourceKind kind, ReservationId reservation, List<String> things)
            implements Difference {

        public Leftover {
            things = List.copyOf(things);
        }
    }

    /** An active reservation whose objects in the cloud were all removed from outside. */
    record Missing(ResourceKind kind, LeaseId lease, ReservationId reservation)
            implements Difference {}

    /**
     * A server on a resource that no lease has. It outlived a lease, or an administrator forced it
     * there.
     *
     * @param id the cloud's id of it
     * @param name the owner's name of it
     * @param resource the name of its resource
     * @param reservation the ended reservation whose slot it has; null for none
     */
    record Squatter(
            ResourceKind kind,
            String id,
            String name,
            String resource,
            ProjectId project,
            @Nullable ReservationId reservation)
            implements Difference {}

    /**
     * An enrolled resource that is neither in the cloud's pool of leasable ones nor in a
     * reservation: it was removed from outside. The engine puts it back.
     *
     * @param name the cloud's name of it
     * @param reservation the one that holds it as a whole; null for none
     */
    record Stray(
            ResourceKind kind,
            ResourceId resource,
            String name,
            @Nullable ReservationId reservation)
            implements Difference {}

    /**
     * A trust that a user gave the engine, and that no lease has. Keystone's response was lost, for
     * instance, or a backup was restored.
     *
     * @param user the user who gave it
     * @param project its project; null for none
     */
    record Orphan(TrustId trust, UserId user, @Nullable ProjectId project) implements Difference {}

    /**
     * A lease that has not ended, of a project that is deleted or disabled. It continues until an
     * operator deletes it: a project may be disabled for an hour.
     *
     * @param deleted whether the project is unknown now; false if it is disabled
     */
    record Abandoned(LeaseId lease, ProjectId project, boolean deleted) implements Difference {}

    /**
     * A kind whose cloud did not answer.
     *
     * @param kind {@code trust} or {@code project} if those could not be read
     * @param why the error instead of the answer
     */
    record Unseen(ResourceKind kind, String why) implements Difference {}
}
