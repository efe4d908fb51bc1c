package org.leasehold.saga.defaultlease;

import org.leasehold.vocabulary.LeaseId;

/** The meaning of the settings for a server, apart from earlier requests for it. */
sealed interface Assessment {

    /** A lease has the server. */
    record Leased(LeaseId lease) implements Assessment {}

    /**
     * The server gets no default lease.
     *
     * @param reason a sentence for operators
     */
    record Exempt(String reason) implements Assessment {}

    /**
     * The server gets a default lease later.
     *
     * @param reason a sentence for operators
     */
    record Pending(String reason) implements Assessment {}

    /**
     * The server cannot have a lease where it is.
     *
     * @param reason a sentence for operators
     */
    record Unleasable(String reason) implements Assessment {}

    /** The server gets a default lease now. */
    record Affected() implements Assessment {}
}
