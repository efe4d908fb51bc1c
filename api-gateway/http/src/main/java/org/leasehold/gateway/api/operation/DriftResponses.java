package org.leasehold.gateway.api.operation;

import org.jspecify.annotations.Nullable;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.operation.Drift;
import org.leasehold.readmodel.operation.Drift.Difference;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;

import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/** Responses for operators about the cloud. */
public final class DriftResponses {

    private DriftResponses() {}

    /**
     * Differences between the cloud and the engine's state.
     *
     * @param next the marker of the next page, if any
     */
    record DriftFound(
            List<Leftover> leftovers,
            List<Missing> missing,
            List<Squatter> squatters,
            List<Stray> strays,
            List<Orphan> orphans,
            List<Abandoned> abandoned,
            List<Unseen> unseen,
            @Nullable String next) {

        static DriftFound of(Page<Difference> page) {
            return new DriftFound(
                    only(Drift.Leftover.class, page, Leftover::of),
                    only(Drift.Missing.class, page, Missing::of),
                    only(Drift.Squatter.class, page, Squatter::of),
                    only(Drift.Stray.class, page, Stray::of),
                    only(Drift.Orphan.class, page, Orphan::of),
                    only(Drift.Abandoned.class, page, Abandoned::of),
                    only(Drift.Unseen.class, page, Unseen::of),
                    page.next());
        }

        private static <T, R> List<R> only(
                Class<T> type, Page<Difference> page, Function<T, R> response) {
            return page.items().stream()
                    .filter(type::isInstance)
                    .map(type::cast)
                    .map(response)
                    .toList();
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
