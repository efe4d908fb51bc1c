package org.leasehold.gateway.api.resource;

import org.leasehold.gateway.api.problem.Problem;
import org.leasehold.gateway.api.problem.ProblemException;
import org.leasehold.inventory.ResourceRejection;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting.Discovery;
import org.leasehold.vocabulary.LeaseId;

import java.util.List;
import java.util.UUID;

/** Problems of changes of the inventory, for people and for programs. */
final class ResourceProblems {

    private ResourceProblems() {}

    static Problem of(ResourceRejection rejection) {
        return switch (rejection) {
            case ResourceRejection.ResourceNotFound r -> Problem.notFound("resource");
            case ResourceRejection.AlreadyEnrolled r ->
                    Problem.of(
                            409,
                            "already-enrolled",
                            "The %s %s is enrolled already.".formatted(r.kind(), r.name()));
            case ResourceRejection.PropertiesReliedOn r ->
                    Problem.of(
                                    409,
                                    "properties-relied-on",
                                    "Reservations chose the resource by its "
                                            + String.join(", ", r.properties()))
                            .withLeases(leaseIds(r.leases()));
            case ResourceRejection.ResourceReserved r ->
                    Problem.of(409, "resource-reserved", "Leases count on the resource.")
                            .withLeases(leaseIds(r.leases()));
            case ResourceRejection.InvalidCapability r -> {
                String field = "capabilities." + r.name();
                yield Problem.of(400, "invalid-capability", field + ": " + r.message())
                        .with(field, r.message());
            }
            case ResourceRejection.WrongState r ->
                    Problem.of(
                            409,
                            "wrong-state",
                            "The resource is %s: it cannot %s.".formatted(r.state(), r.asked()));
            case ResourceRejection.IdempotencyKeyReused r -> Problem.keyReused(r.key());
        };
    }

    /** Returns the found resource, unless it cannot be enrolled. */
    static Discovery.Found requireFound(String name, Discovery discovery) {
        return switch (discovery) {
            case Discovery.Found found -> found;
            case Discovery.NotFound nowhere ->
                    throw new ProblemException(
                            Problem.of(
                                            404,
                                            "not-in-the-cloud",
                                            "The cloud has no resource of that name.")
                                    .with("name", "names nothing in the cloud: " + name));
            case Discovery.InUse used -> throw inUse(used);
            case Discovery.Unfit(String reason) ->
                    throw new ProblemException(
                            Problem.of(400, "unfit", reason).with("name", reason));
            case Discovery.Unknown unknown -> throw new ProblemException(of(unknown.fault()));
        };
    }

    static ProblemException inUse(Discovery.InUse used) {
        return new ProblemException(
                Problem.of(
                        409,
                        "in-use",
                        "%s is used by %s."
                                .formatted(used.name(), String.join(", ", used.users()))));
    }

    /** Returns the problem for a failed call of the cloud. */
    static Problem of(Fault fault) {
        int status =
                switch (fault.kind()) {
                    case RETRYABLE, UNDERWAY -> 503;
                    case INSUFFICIENT_RESOURCES, DENIED, PERMANENT -> 502;
                };
        return Problem.of(status, "cloud-failed", fault.message());
    }

    static List<UUID> leaseIds(List<LeaseId> leases) {
        return leases.stream().map(LeaseId::value).toList();
    }
}
