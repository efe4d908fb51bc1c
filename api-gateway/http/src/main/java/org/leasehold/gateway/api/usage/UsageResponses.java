package org.leasehold.gateway.api.usage;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.http.DecimalNormalization;
import org.leasehold.readmodel.usage.Usages.Usage;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;

/** Responses about usage. */
public final class UsageResponses {

    private UsageResponses() {}

    /**
     * The usage of leases.
     *
     * @param from inclusive
     * @param until exclusive; later time is not used yet, or was not used at {@code as_of}
     */
    record UsagePage(Instant from, Instant until, List<UsageLine> usage, @Nullable String next) {}

    /**
     * Usage in seconds times slots, to the microsecond.
     *
     * @param value their common value of the property {@code by}; null where they lack it, or where
     *     no property was named
     * @param kind of the resources
     * @param reserved promised
     * @param active promised, and provided
     * @param lost promised, and not provided
     * @param observed the part of active in which the engine observed what runs; whole hosts only
     * @param idle the part of observed without a server
     * @param servers seconds times servers that were there, switched on or off
     * @param vcpus seconds times the virtual processors of these
     */
    record UsageLine(
            @Nullable String value,
            String kind,
            BigDecimal reserved,
            BigDecimal active,
            BigDecimal lost,
            BigDecimal observed,
            BigDecimal idle,
            BigDecimal servers,
            BigDecimal vcpus) {

        static UsageLine of(Usage usage) {
            return new UsageLine(
                    usage.value(),
                    usage.kind().value(),
                    DecimalNormalization.normalize(usage.reserved()),
                    DecimalNormalization.normalize(usage.active()),
                    DecimalNormalization.normalize(usage.lost()),
                    DecimalNormalization.normalize(usage.use().observed()),
                    DecimalNormalization.normalize(usage.use().idle()),
                    DecimalNormalization.normalize(usage.use().servers()),
                    DecimalNormalization.normalize(usage.use().vcpus()));
        }
    }
}
