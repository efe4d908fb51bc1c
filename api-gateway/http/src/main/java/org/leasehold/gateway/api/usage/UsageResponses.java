package org.leasehold.gateway.api.usage;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;

import com.fasterxml.jackson.annotation.JsonInclude;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.http.DecimalNormalization;
import org.leasehold.gateway.api.http.FormerName;
import org.leasehold.readmodel.label.Labels.LeaseLabel;
import org.leasehold.readmodel.label.Labels.ResourceLabel;
import org.leasehold.readmodel.usage.Usages.Usage;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/** Responses about usage. */
public final class UsageResponses {

    private UsageResponses() {}

    /**
     * The usage of leases.
     *
     * @param from inclusive
     * @param to exclusive; later time is not used yet, or was not used at {@code as_of}
     */
    record UsagePage(
            Instant from,
            @FormerName("until") Instant to,
            List<UsageLine> usage,
            @Nullable String next) {}

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
     * @param values the values of both dimensions; left out if there are not two
     * @param leaseName of the lease, at the end of the queried time; left out without one
     * @param projectId the lease's; left out without one
     * @param resourceName the current name of the resource; left out without one
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
            BigDecimal vcpus,
            @JsonInclude(NON_NULL) @Nullable List<@Nullable String> values,
            @JsonInclude(NON_NULL) @Nullable String leaseName,
            @JsonInclude(NON_NULL) @Nullable String projectId,
            @JsonInclude(NON_NULL) @Nullable String resourceName,
            @JsonInclude(NON_NULL) @Nullable String resourceZone) {

        /** Returns a line of a query with so many dimensions, with names where there are any. */
        static UsageLine of(
                Usage usage,
                int dimensions,
                @Nullable LeaseLabel lease,
                @Nullable ResourceLabel resource) {
            return new UsageLine(
                    usage.value(),
                    usage.kind().value(),
                    DecimalNormalization.normalize(usage.reserved()),
                    DecimalNormalization.normalize(usage.active()),
                    DecimalNormalization.normalize(usage.lost()),
                    DecimalNormalization.normalize(usage.use().observed()),
                    DecimalNormalization.normalize(usage.use().idle()),
                    DecimalNormalization.normalize(usage.use().servers()),
                    DecimalNormalization.normalize(usage.use().vcpus()),
                    dimensions < 2 ? null : Arrays.asList(usage.value(), usage.other()),
                    lease == null ? null : lease.name(),
                    lease == null ? null : lease.project().value(),
                    resource == null ? null : resource.name(),
                    resource == null ? null : resource.zone());
        }
    }
}
