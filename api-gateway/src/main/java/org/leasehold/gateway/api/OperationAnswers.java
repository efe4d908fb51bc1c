package org.leasehold.gateway.api;

import org.leasehold.query.Drift;

import java.util.List;
import java.util.UUID;

/** What operators are told about the cloud. */
final class OperationAnswers {

    private OperationAnswers() {}

    /** Where the cloud is not as it should be. */
    record DriftFound(List<Leftover> leftovers, List<Missing> missing, List<Unseen> unseen) {

        static DriftFound of(Drift.Comparison found) {
            return new DriftFound(
                    found.leftovers().stream().map(Leftover::of).toList(),
                    found.missing().stream().map(Missing::of).toList(),
                    found.unseen().stream().map(Unseen::of).toList());
        }
    }

    /** Things in the cloud that bear the name of a reservation that holds nothing. */
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

    /** A kind whose cloud did not answer. */
    record Unseen(String kind, String why) {

        static Unseen of(Drift.Unseen found) {
            return new Unseen(found.kind().value(), found.why());
        }
    }
}
