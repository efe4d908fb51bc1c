package org.leasehold.readmodel.operation;

import org.jspecify.annotations.Nullable;
import org.leasehold.readmodel.operation.Drift.Unseen;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;

import java.time.Instant;
import java.util.List;

/** The default leases of servers, for operators: it names servers of all projects. */
public interface DefaultLeases {

    /**
     * Lists the servers in the cloud, and what the settings mean for each. Queries the cloud, which
     * takes as long as the cloud takes; changes nothing. Works also while the feature is off.
     */
    Report report();

    /**
     * The servers in the cloud with their default leases.
     *
     * @param enabled whether the engine requests default leases; otherwise this is a dry run
     * @param servers all servers, in any order
     * @param unseen the kinds of which nothing is known, because their cloud did not answer
     */
    record Report(boolean enabled, List<Server> servers, List<Unseen> unseen) {

        public Report {
            servers = List.copyOf(servers);
            unseen = List.copyOf(unseen);
        }
    }

    /**
     * A server, and what the settings mean for it.
     *
     * @param id the cloud's id of the server
     * @param flavor the name of its flavor; empty if the cloud does not say
     * @param reason the reason for the verdict; null if the verdict says it all
     * @param lease the lease that has the server, or the last requested one; null for none
     * @param nextAttempt the time of the next request, in UTC; null if none is planned
     */
    record Server(
            String id,
            ProjectId project,
            String flavor,
            Verdict verdict,
            @Nullable String reason,
            @Nullable LeaseId lease,
            @Nullable Instant nextAttempt) {}

    /** The meaning of the settings for a server. */
    enum Verdict {
        /** A lease has the server. */
        LEASED,
        /** The settings exempt the server, or it takes no capacity. */
        EXEMPT,
        /**
         * The server gets a default lease later: it is too young, not ready, or has an open lease
         * tag.
         */
        PENDING,
        /** The server gets a default lease at the next poll, if the feature is on. */
        AFFECTED,
        /** The server cannot have a lease: its host is leased, or the calendar is full. */
        REFUSED
    }
}
