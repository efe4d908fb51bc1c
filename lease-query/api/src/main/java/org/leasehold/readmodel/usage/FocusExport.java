package org.leasehold.readmodel.usage;

import org.jspecify.annotations.Nullable;
import org.leasehold.readmodel.usage.Charges.ListCharges;

import java.io.IOException;
import java.util.function.UnaryOperator;

/**
 * The export of the costs of leases as a table for cloud cost tools. The rows and columns are those
 * of FOCUS 1.2, the FinOps Open Cost and Usage Specification.
 */
public interface FocusExport {

    /**
     * Writes the column names and a row for each charge of {@link Charges#page}, as CSV (RFC 4180).
     * Leases are read page by page: memory holds only a part, and no connection waits, whatever
     * their number and however slow the recipient.
     *
     * @param question the query, answered to its end in pages of its limit; null for the column
     *     names alone
     * @param provider the owner of the cloud: provider, publisher, invoice issuer and billed party
     * @param seen reduces a charge to the part that the caller may see
     * @throws IOException if a row cannot be written
     */
    void write(
            @Nullable ListCharges question,
            String provider,
            UnaryOperator<Charge> seen,
            Appendable csv)
            throws IOException;
}
