package org.leasehold.resource.openstack.compute;

import org.leasehold.resource.openstack.CloudFailure;
import org.leasehold.resource.openstack.CloudRequest;
import org.leasehold.resource.openstack.FencedCloud;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;

import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The moves of servers between Nova's hosts: their state, and the requests for them. */
final class NovaMigrations {

    static final String MIGRATIONS = "/os-migrations";

    /**
     * The first microversion that migrates a stopped server to a chosen host. It also lets the
     * scheduler check that host, and answers before a live migration is checked. Since 2.95, Nova
     * would stop the servers that it evacuates.
     */
    private static final String MICROVERSION = "2.56";

    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;

    private final FencedCloud fenced;

    NovaMigrations(FencedCloud fenced) {
        this.fenced = fenced;
    }

    /** The ways to move a server. */
    enum Method {
        /** A move of a running server, without an interruption. */
        LIVE,
        /** A move that stops a running server for a moment. */
        COLD,
        /** A new start of a server whose host is down. */
        EVACUATION
    }

    /**
     * Requests the move of a server, which Nova does later.
     *
     * @param host the compute service of the target, which the scheduler checks
     * @return Nova's refusal; empty if it accepts the request, or if the server is gone
     */
    Optional<CloudFailure> request(Method method, String server, String host) {
        try {
            fenced.send(
                    action(method, server, host).microversion(MICROVERSION).expecting(NOT_FOUND));
            return Optional.empty();
        } catch (CloudFailure failure) {
            if (failure.status() == BAD_REQUEST || failure.status() == CONFLICT) {
                return Optional.of(failure);
            }
            throw failure;
        }
    }

    private static CloudRequest action(Method method, String server, String host) {
        return switch (method) {
            case LIVE ->
                    NovaChanges.action(
                            server,
                            "os-migrateLive",
                            Map.of("host", host, "block_migration", "auto"));
            case COLD -> NovaChanges.action(server, "migrate", Map.of("host", host));
            case EVACUATION -> NovaChanges.action(server, "evacuate", Map.of("host", host));
        };
    }

    /** Confirms a cold migration; does nothing if it is confirmed or reverted already. */
    void confirm(String server) {
        fenced.send(
                NovaChanges.action(server, "confirmResize", NullNode.getInstance())
                        .expecting(BAD_REQUEST, NOT_FOUND, CONFLICT));
    }

    /** Returns the server's latest move; empty if it never moved. */
    Optional<Migration> latest(String server) {
        CloudRequest request =
                CloudRequest.get(Nova.COMPUTE, MIGRATIONS + "?instance_uuid=" + server);
        return fenced.cloud()
                .rest()
                .send(request)
                .body()
                .path("migrations")
                .valueStream()
                .max(Comparator.comparingLong(each -> each.path("id").asLong(0)))
                .map(NovaMigrations::migration);
    }

    private static Migration migration(JsonNode found) {
        return new Migration(
                NovaResponses.text(found, "source_compute"),
                NovaResponses.text(found, "dest_compute"),
                NovaResponses.text(found, "status"));
    }

    /**
     * A move of a server, in any state.
     *
     * @param source a compute service
     * @param target a compute service; empty while the scheduler has chosen none
     */
    record Migration(String source, String target, String status) {

        private static final Set<String> FAILED =
                Set.of("error", "failed", "cancelled", "reverted");

        private static final Set<String> DONE = Set.of("completed", "confirmed", "done");

        /**
         * Returns whether a server that is still on the host moves away. At the end of an
         * evacuation, the server itself does not show that for a moment.
         */
        boolean isLeaving(String host) {
            return source.equals(host) && !target.equals(host) && !FAILED.contains(status);
        }

        /** Returns whether it waits for the confirmation of a cold migration. */
        boolean isUnconfirmed() {
            return status.equals("finished");
        }

        /**
         * Returns whether Nova has nothing to do for it any more. A server is on the target before
         * that. Nova then frees what the server had at the source; if the source's inventory in
         * Placement changes at that moment, Nova puts the server into error.
         */
        boolean isOver() {
            return DONE.contains(status) || FAILED.contains(status);
        }
    }
}
