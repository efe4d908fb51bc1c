package org.leasehold.gateway.api;

import org.jspecify.annotations.Nullable;
import org.leasehold.query.Usages.Usage;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;

/** What is told of usage. */
final class UsageAnswers {

    private UsageAnswers() {}

    /**
     * How long leases had what they were promised.
     *
     * @param from inclusive
     * @param until exclusive; what comes later has not been used yet, or not by then
     */
    record UsagePage(Instant from, Instant until, List<UsageLine> usage, @Nullable String next) {}

    /**
     * In seconds times slots, to the microsecond.
     *
     * @param value what they have in common, of what {@code by} names; null where they lack it, or
     *     nothing was named
     * @param kind the resources'
     * @param reserved promised
     * @param active promised, and given
     * @param lost promised, and not given
     * @param observed of what was active, since somebody has looked at what runs; of whole hosts
     * @param idle of that, while no server was there
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
                    Decimals.plain(usage.reserved()),
                    Decimals.plain(usage.active()),
                    Decimals.plain(usage.lost()),
                    Decimals.plain(usage.use().observed()),
                    Decimals.plain(usage.use().idle()),
                    Decimals.plain(usage.use().servers()),
                    Decimals.plain(usage.use().vcpus()));
        }
    }
}
