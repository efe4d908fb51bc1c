package org.leasehold.lease;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/**
 * How far a lease had come in another reservation service when it was taken over from there, and
 * what that service's clients knew of it.
 *
 * @param explanation why it is in error; null if it is not
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

    /** How far a lease or a reservation is. */
    public enum Stage {
        /** Nothing was given to the project yet. */
        PENDING,
        /** The project has what it was granted. */
        ACTIVE,
        /** Something went wrong at or after the start: the cloud may hold anything of it. */
        FAILED,
        /** Everything was taken back. */
        ENDED;

        /** Whether the cloud may hold something of it. */
        public boolean holds() {
            return this == ACTIVE || this == FAILED;
        }
    }

    /**
     * A reservation's past.
     *
     * @param cloudIds what the cloud calls what was made for it, JSON values by name; null for
     *     nothing that anybody is to know
     * @param missingResources whether it has fewer resources than it was granted
     * @param resourcesChanged whether a resource of it was replaced by another one
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

    /** A timed step's past. */
    public record OfStep(
            Step step, UUID id, Status status, Instant createdAt, @Nullable Instant updatedAt) {

        /** Which one. */
        public enum Step {
            START,
            BEFORE_END,
            END
        }

        /** What has become of it. */
        public enum Status {
            UNDONE,
            DONE,
            ERROR
        }
    }

    /** The past of one of its reservations; empty if it has none of this name. */
    public Optional<OfReservation> of(ReservationId reservation) {
        return reservations.stream().filter(each -> each.id().equals(reservation)).findFirst();
    }

    /** Whether its end was announced already. What was cut off or failed then is done again. */
    public boolean announced() {
        return steps.stream()
                .anyMatch(
                        each ->
                                each.step() == OfStep.Step.BEFORE_END
                                        && each.status() == OfStep.Status.DONE);
    }
}
