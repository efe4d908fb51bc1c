package org.leasehold.gateway.api.lease;

import io.swagger.v3.oas.annotations.media.Schema;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.problem.Problem;
import org.leasehold.gateway.api.problem.ProblemException;
import org.leasehold.gateway.api.resource.PluginFacade;
import org.leasehold.gateway.security.Caller;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseCommand.ChangeLease;
import org.leasehold.lease.LeaseCommand.CreateLease;
import org.leasehold.lease.LeaseCommand.CreateLease.Retry;
import org.leasehold.lease.ReservationChange;
import org.leasehold.lease.ReservationWish;
import org.leasehold.resource.RequestCompleter.Asker;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.wire.lease.OnFailure;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Requests about leases and the calendar. */
public final class LeaseRequestBodies {

    private LeaseRequestBodies() {}

    /**
     * A request for a lease. The engine checks the length of the name in code points, as JSON
     * Schema counts, and not in UTF-16 units as {@code @Size} does.
     *
     * @param start the start of the window; by default, now
     * @param end the end of the window, exclusive
     * @param beforeEnd when to announce the end; by default, never
     * @param ifUnavailable what happens if the calendar cannot hold the lease; by default, refuse
     * @param retry the retries; only with {@code retry} as {@code ifUnavailable}
     * @param onFailure what happens if a reservation fails to start; by default, keep
     */
    public record LeaseRequest(
            @NotNull @Schema(maxLength = 80) String name,
            @Nullable Instant start,
            @NotNull Instant end,
            @Nullable Instant beforeEnd,
            @NotNull @Size(max = 100) List<@Valid ReservationRequest> reservations,
            @Nullable IfUnavailable ifUnavailable,
            @Nullable @Valid RetryRequest retry,
            @Nullable OnFailure onFailure) {

        public LeaseRequest reserving(List<ReservationRequest> wishes) {
            return new LeaseRequest(
                    name, start, end, beforeEnd, wishes, ifUnavailable, retry, onFailure);
        }

        private @Nullable Retry retries() {
            if (ifUnavailable == IfUnavailable.RETRY) {
                return retry == null ? new Retry(null, null) : retry.retries();
            }
            if (retry != null) {
                throw new ProblemException(
                        Problem.ofField("retry", "is only possible with if_unavailable: retry"));
            }
            return null;
        }

        public CreateLease command(LeaseId id, Caller caller, Instant now) {
            return new CreateLease(
                    id,
                    caller.project(),
                    caller.user(),
                    name,
                    start == null ? now : start,
                    end,
                    beforeEnd,
                    reservations.stream().map(ReservationRequest::wish).toList(),
                    retries(),
                    onFailure == null ? null : onFailure.policy());
        }
    }

    /**
     * The retries of a request that the calendar cannot hold.
     *
     * @param attempts how many attempts follow the first one at most
     * @param intervalSeconds the time between two attempts
     */
    public record RetryRequest(
            @Nullable @Min(1) @Max(1000) Integer attempts,
            @Nullable @Min(1) @Max(31_536_000) Integer intervalSeconds) {

        private Retry retries() {
            return new Retry(
                    attempts, intervalSeconds == null ? null : Duration.ofSeconds(intervalSeconds));
        }
    }

    /** A request for one kind of resource. */
    public record ReservationRequest(
            @NotBlank @Size(min = 1, max = 64) String kind,
            @Nullable Map<String, @Nullable Object> parameters) {

        Map<String, @Nullable Object> givenParameters() {
            return parameters == null ? Map.of() : parameters;
        }

        /**
         * Completes the reservations of a request.
         *
         * @param field their path in the request
         */
        public static List<ReservationRequest> complete(
                PluginFacade kinds,
                String field,
                List<ReservationRequest> wishes,
                Caller caller,
                Asker asker) {
            List<ReservationRequest> complete = new ArrayList<>();
            for (int i = 0; i < wishes.size(); i++) {
                ReservationRequest asked = wishes.get(i);
                PluginFacade.Wish understood =
                        kinds.completeReservation(
                                "%s[%s].".formatted(field, i),
                                asked.kind(),
                                asked.givenParameters(),
                                caller,
                                asker);
                complete.add(new ReservationRequest(asked.kind(), understood.parameters()));
            }
            return complete;
        }

        private ReservationWish wish() {
            return new ReservationWish(
                    new ReservationId(UUID.randomUUID()),
                    new ResourceKind(kind),
                    givenParameters());
        }
    }

    /**
     * A change of a lease, applied as a whole or not at all: it renames, prolongs, reduces,
     * advances, defers, grows, shrinks, adds or removes. Fields that are left out stay.
     *
     * @param further additional reservations of the lease
     * @param remove the ids of reservations that leave the lease; at least one stays or is added
     */
    record LeaseChange(
            @Nullable @Schema(maxLength = 80) String name,
            @Nullable Instant start,
            @Nullable Instant end,
            @Nullable Instant beforeEnd,
            @Nullable @Size(max = 100) List<@Valid ChangedReservation> reservations,
            @Nullable @Size(max = 100) List<@Valid ReservationRequest> further,
            @Nullable @Size(max = 100) List<@NotNull UUID> remove) {

        boolean isEmpty() {
            return name == null
                    && start == null
                    && end == null
                    && beforeEnd == null
                    && givenReservations().isEmpty()
                    && givenFurther().isEmpty()
                    && givenRemovals().isEmpty();
        }

        /** Returns the index of a removal whose reservation the request changes, too. */
        Optional<Integer> findChangedRemoval() {
            List<UUID> changed = givenReservations().stream().map(ChangedReservation::id).toList();
            return givenRemovals().stream()
                    .filter(changed::contains)
                    .findFirst()
                    .map(givenRemovals()::indexOf);
        }

        LeaseChange changing(List<ChangedReservation> changes, List<ReservationRequest> wishes) {
            return new LeaseChange(name, start, end, beforeEnd, changes, wishes, remove);
        }

        List<ChangedReservation> givenReservations() {
            return reservations == null ? List.of() : reservations;
        }

        List<ReservationRequest> givenFurther() {
            return further == null ? List.of() : further;
        }

        List<UUID> givenRemovals() {
            return remove == null ? List.of() : remove;
        }

        ChangeLease command(LeaseId id) {
            return new ChangeLease(
                    id,
                    name,
                    start,
                    end,
                    beforeEnd,
                    givenReservations().stream().map(ChangedReservation::change).toList(),
                    givenFurther().stream().map(ReservationRequest::wish).toList(),
                    givenRemovals().stream().map(ReservationId::new).toList());
        }
    }

    /** New values for some parameters of a reservation; others stay. */
    public record ChangedReservation(
            @NotNull UUID id, @NotNull Map<String, @Nullable Object> parameters) {

        private ReservationChange change() {
            return new ReservationChange(new ReservationId(id), parameters);
        }
    }

    /**
     * A query for windows in which the calendar could hold a reservation.
     *
     * @param duration the length of the window
     * @param earliest the first start to consider; by default, now
     * @param horizon the last start to consider; by default, thirty days later
     * @param limit the most openings; by default, 10
     */
    public record AvailabilityQuestion(
            @NotBlank @Size(min = 1, max = 64) String kind,
            @Nullable Map<String, @Nullable Object> parameters,
            @NotNull Duration duration,
            @Nullable Instant earliest,
            @Nullable Instant horizon,
            @Nullable @Min(1) @Max(100) Integer limit) {}
}
