package org.leasehold.gateway.api.operation;

import org.jspecify.annotations.Nullable;
import org.leasehold.readmodel.operation.Drift;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;

import java.util.List;
import java.util.UUID;

/** Responses for operators about the cloud. */
public final class DriftResponses {

    private DriftResponses() {}

    /** Differences between the cloud and the engine's state. */
    record DriftFound(
            List<Leftover> leftovers,
            List<Missing> missing,
            List<Squatter> squatters,
            List<Stray> strays,
            List<Orphan> orphans,
            List<Abandoned> abandoned,
            List<Unseen> unseen) {

        static DriftFound of(Drift.Comparison found) {
            return new DriftFound(
                    found.leftovers().stream().map(Leftover::of).toList(),
                    found.missing().stream().map(Missing::of).toList(),
                    found.squatters().stream().map(Squatter::of).toList(),
                    found.strays().stream().map(Stray::of).toList(),
                    found.orphans().stream().map(Orphan::of).toList(),
                    found.abandoned().stream().map(Abandoned::of).toList(),
                    found.unseen().stream().map(Unseen::of).toList());
        }
    }

    /** Objects in the cloud with the name of a reservation that has no resources. */
    record Leftover(String kind, UUID reservationId, List<String> things) {

        static Leftover of(Drift.Leftover found) {
            return new Leftover(found.kind().value(), found.reservation().value(), found.things());
        }
    }

    /** An active reservation of which the cloud has nothing. */
    record Missing(String kind, UUID leaseId, UUID reservationId) {

        static Missing of(Drift.Missing found) {
            return new Missing(
                    found.kind().value(), found.lease().value(), found.reservation().value());
        }
    }

    /** A server on a resource that no reservation has now. */
    record Squatter(
            String kind,
            String id,
            String name,
            String resource,
            String projectId,
            @Nullable UUID reservationId) {

        static Squatter of(Drift.Squatter found) {
            ReservationId reservation = found.reservation();
            return new Squatter(
                    found.kind().value(),
                    found.id(),
                    found.name(),
                    found.resource(),
                    found.project().value(),
                    reservation == null ? null : reservation.value());
        }
    }

    /** An enrolled resource that is neither in the cloud's pool nor in a reservation. */
    record Stray(String kind, long resourceId, String name, @Nullable UUID reservationId) {

        static Stray of(Drift.Stray found) {
            ReservationId reservation = found.reservation();
            return new Stray(
                    found.kind().value(),
                    found.resource().value(),
                    found.name(),
                    reservation == null ? null : reservation.value());
        }
    }

    /** A trust that no lease has. */
    record Orphan(String trustId, String userId, @Nullable String projectId) {

        static Orphan of(Drift.Orphan found) {
            ProjectId project = found.project();
            return new Orphan(
                    found.trust().value(),
                    found.user().value(),
                    project == null ? null : project.value());
        }
    }

    /** A lease that is not over, of a project that is deleted or disabled. */
    record Abandoned(UUID leaseId, String projectId, boolean deleted) {

        static Abandoned of(Drift.Abandoned found) {
            return new Abandoned(found.lease().value(), found.project().value(), found.deleted());
        }
    }

    /** A kind whose cloud did not answer. */
    record Unseen(String kind, String why) {

        static Unseen of(Drift.Unseen found) {
            return new Unseen(found.kind().value(), found.why());
        }
    }
}
