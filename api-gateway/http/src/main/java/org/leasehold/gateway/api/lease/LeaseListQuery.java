package org.leasehold.gateway.api.lease;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.http.PageSize;
import org.leasehold.gateway.api.problem.Problem;
import org.leasehold.gateway.api.problem.ProblemException;
import org.leasehold.readmodel.lease.LeaseOrder;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.wire.lease.LeaseStage;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.web.bind.annotation.RequestParam;

import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The query parameters of a list of leases. */
@ParameterObject
record LeaseListQuery(
        @RequestParam(name = "project", required = false) @Size(max = 255) @Nullable String project,
        @RequestParam(name = "name", required = false) @Size(max = 255) @Nullable String name,
        @RequestParam(name = "kind", required = false) @Nullable String kind,
        @RequestParam(name = "user", required = false) @Size(max = 255) @Nullable String user,
        @RequestParam(name = "resource", required = false) @Min(1) @Nullable Long resource,
        @RequestParam(name = "status", required = false)
                @Pattern(regexp = LeaseListQuery.STATUSES_PATTERN)
                @Nullable String status,
        @RequestParam(name = "start_before", required = false) @Nullable Instant startBefore,
        @RequestParam(name = "end_after", required = false) @Nullable Instant endAfter,
        @RequestParam(name = "order", defaultValue = LeaseSort.DEFAULT) LeaseSort order,
        @RequestParam(name = "as_of", required = false) @Nullable Instant asOf,
        @RequestParam(name = "marker", required = false) @Nullable String marker,
        @RequestParam(name = "limit", defaultValue = "100") @Min(1) @Max(PageSize.MAX) int limit) {

    private static final String STATUS_PATTERN =
            "(retrying|inactive|delayed|to_be_started|active|to_be_ended|ended|error|deleting)";

    /** Some statuses with commas between them. */
    private static final String STATUSES_PATTERN =
            STATUS_PATTERN + "(," + STATUS_PATTERN + "){0,8}";

    Set<LeaseStatus> statuses() {
        return status == null
                ? Set.of()
                : Arrays.stream(status.split(",", -1))
                        .map(word -> LeaseStage.of(word).orElseThrow().status())
                        .collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Requires that a list of the past has only conditions that the events answer fast.
     *
     * @throws ProblemException if it has another; it names the parameter
     */
    void requireFeasible() {
        if (asOf == null) {
            return;
        }
        Map<String, Boolean> unindexed = new LinkedHashMap<>();
        unindexed.put("name", name != null);
        unindexed.put("kind", kind != null);
        unindexed.put("user", user != null);
        unindexed.put("resource", resource != null);
        unindexed.put("status", statuses().contains(LeaseStatus.RETRYING));
        unindexed.put("start_before", startBefore != null);
        unindexed.put("end_after", endAfter != null);
        unindexed.put("order", order.order().key() != LeaseOrder.Key.CREATED);
        unindexed.forEach(
                (parameter, given) -> {
                    if (given) {
                        throw new ProblemException(
                                Problem.ofField(
                                        parameter,
                                        "must not be combined with as_of, because only leases as"
                                                + " they are now have an index for it"));
                    }
                });
    }
}
