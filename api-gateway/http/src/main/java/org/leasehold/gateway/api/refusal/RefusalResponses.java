package org.leasehold.gateway.api.refusal;

import com.fasterxml.jackson.annotation.JsonInclude;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.http.TimeParser;
import org.leasehold.gateway.api.lease.RequestedKinds;
import org.leasehold.gateway.api.problem.Problem.Shortfall;
import org.leasehold.lease.ReservationWish;
import org.leasehold.readmodel.label.Labels.LeaseLabel;
import org.leasehold.readmodel.refusal.Refusals.Refusal;
import org.leasehold.readmodel.refusal.Refusals.RefusalCount;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.stream.Collectors;

/** Responses about refusals. */
public final class RefusalResponses {

    private RefusalResponses() {}

    /**
     * Refusals, newest first.
     *
     * @param from inclusive
     * @param to exclusive
     * @param counts of the whole window, on the first page; otherwise left out
     */
    record RefusalPage(
            Instant from,
            Instant to,
            List<RefusedLine> refusals,
            @Nullable String next,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<CountedRefusals> counts) {}

    /**
     * A refused request.
     *
     * @param leaseName of the refused lease, or the current name of the lease to be changed
     * @param userId the id of the user who requested it; null if the engine did
     * @param change whether it was a change of an existing lease
     */
    record RefusedLine(
            Instant at,
            UUID leaseId,
            @Nullable String leaseName,
            String projectId,
            @Nullable String userId,
            boolean change,
            Instant start,
            Instant end,
            List<Shortfall> shortages) {

        static RefusedLine of(Refusal refusal, @Nullable LeaseLabel label) {
            RequestedKinds kinds =
                    new RequestedKinds(
                            refusal.reservations().stream()
                                    .collect(
                                            Collectors.toMap(
                                                    ReservationWish::id, ReservationWish::kind)));
            return new RefusedLine(
                    refusal.at(),
                    refusal.lease().value(),
                    label == null ? null : label.name(),
                    refusal.project().value(),
                    refusal.user() == null ? null : refusal.user().value(),
                    refusal.isChange(),
                    TimeParser.clamp(refusal.period().start()),
                    TimeParser.clamp(refusal.period().end()),
                    kinds.shortfalls(refusal.shortages()));
        }
    }

    /**
     * The number of refusals with a shortage.
     *
     * @param kind of the resources that are short
     * @param reason not_enough_matching or not_enough_free
     */
    record CountedRefusals(String kind, String reason, int refusals) {

        static CountedRefusals of(RefusalCount count) {
            return new CountedRefusals(
                    count.kind().value(),
                    count.reason().name().toLowerCase(Locale.ROOT),
                    count.refusals());
        }
    }
}
