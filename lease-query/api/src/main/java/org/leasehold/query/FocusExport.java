package org.leasehold.query;

import org.jspecify.annotations.Nullable;
import org.leasehold.query.Charges.ListCharges;

import java.io.IOException;
import java.util.function.UnaryOperator;

/**
 * What leases cost, as a table that tools for the costs of clouds can read: the rows and columns of
 * FOCUS 1.2, the FinOps Open Cost and Usage Specification.
 */
public interface FocusExport {

    /**
     * Writes a row for each charge that {@link Charges#page} tells, and the names of the columns
     * before them, as CSV (RFC 4180). The leases are read page by page: however many there are, and
     * however slow whoever listens, only some are in memory, and no connection waits.
     *
     * @param question from where it is answered to its end, by pages of as many leases as it says;
     *     null for what has no answer: the names of the columns alone
     * @param provider whose cloud it is: who provides, publishes, bills and is billed
     * @param seen what whoever asks may see of a charge
     * @throws IOException if a row cannot be written
     */
    void write(
            @Nullable ListCharges question,
            String provider,
            UnaryOperator<Charge> seen,
            Appendable csv)
            throws IOException;
}
