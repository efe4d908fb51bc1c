package org.leasehold.gateway.api.usage;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.http.DecimalNormalization;
import org.leasehold.readmodel.label.Labels.LeaseLabel;
import org.leasehold.readmodel.usage.IdleLeases.IdleLease;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** Responses about idle leases. */
public final class IdleResponses {

    private IdleResponses() {}

    /**
     * Idle leases, the longest idle time first.
     *
     * @param from inclusive
     * @param to exclusive; later time is not used yet, or was not used at {@code as_of}
     */
    record IdlePage(Instant from, Instant to, List<IdleLine> leases, @Nullable String next) {}

    /**
     * A lease with resources of a kind on which nothing ran in the window.
     *
     * @param leaseName as it was known at {@code as_of}
     * @param userId the id of the user who requested it
     * @param resources the number of its resources of the kind
     * @param since the time from which it had the first of them
     * @param active whether it has them at the end of the queried time
     * @param idle in seconds times resources
     */
    record IdleLine(
            UUID leaseId,
            @Nullable String leaseName,
            String projectId,
            @Nullable String userId,
            String kind,
            int resources,
            Instant since,
            boolean active,
            BigDecimal idle) {

        static IdleLine of(IdleLease idle, @Nullable LeaseLabel label) {
            return new IdleLine(
                    idle.lease().value(),
                    label == null ? null : label.name(),
                    idle.project().value(),
                    label == null ? null : label.user().value(),
                    idle.kind().value(),
                    idle.resources(),
                    idle.since(),
                    idle.isActive(),
                    DecimalNormalization.normalize(idle.idle()));
        }
    }
}
