package org.leasehold.lease;

import org.jspecify.annotations.Nullable;
import org.leasehold.vocabulary.ReservationId;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/**
 * The state of a lease in another reservation service at its import, with the details that the
 * clients of that service knew.
 *
 * @param explanation the explanation of the error; null if it is not in error
 * @param createdAt when it was accepted there
 * @param updatedAt when it last changed there; null before its first change
 */
public record LeasePast(
        Stage stage,
        @Nullable String explanation,
        List<OfReservation> reservations,
        List<OfStep> steps,
        Instant createdAt,
        @Nullable Instant updatedAt) {

    public LeasePast {
        reservations = List.copyOf(reservations);
        steps = List.copyOf(steps);
    }

    /** The stage of a lease or a reservation. */
    public enum Stage {
        /** The project has received nothing yet. */
        PENDING,
        /** The project has the granted resources. */
        ACTIVE,
        /** The start or a later action failed: the cloud may hold anything of it. */
        FAILED,
        /** All resources were taken back. */
        ENDED;

        /** Returns true if the cloud may hold something of it. */
        public boolean holds() {
            return this == ACTIVE || this == FAILED;
        }
    }

    /**
     * The past of a reservation.
     *
     * @param cloudIds the cloud's ids of what was created for it, JSON values by name; null if
     *     there are no public ones
     * @param missingResources true if it has fewer resources than it was granted
     * @param resourcesChanged true if a resource of it was replaced by another one
     */
    public record OfReservation(
            ReservationId id,
            Stage stage,
            @Nullable Map<String, Object> cloudIds,
            boolean missingResources,
            boolean resourcesChanged,
            Instant createdAt,
            @Nullable Instant updatedAt) {

        public OfReservation {
            cloudIds =
                    cloudIds == null ? null : Collections.unmodifiableMap(new TreeMap<>(cloudIds));
        }
    }

    /** The past of a timed step. */
    public record OfStep(
            Step step, UUID id, Status status, Instant createdAt, @Nullable Instant updatedAt) {

        /** The step. */
        public enum Step {
            START,
            BEFORE_END,
            END
        }

        /** The status of the step. */
        public enum Status {
            UNDONE,
            DONE,
            ERROR
        }
    }

    /** Returns the past of a reservation; empty if the lease has none with this id. */
    public Optional<OfReservation> of(ReservationId reservation) {
        return reservations.stream().filter(each -> each.id().equals(reservation)).findFirst();
    }

    /** Returns true if the end was announced. An interrupted or failed attempt is repeated. */
    public boolean announced() {
        return steps.stream()
                .anyMatch(
                        each ->
                                each.step() == OfStep.Step.BEFORE_END
                                        && each.status() == OfStep.Status.DONE);
    }
}
