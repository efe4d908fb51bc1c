package org.leasehold.resource.openstack.compute;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.LeasableObject;
import org.leasehold.resource.LeasableObject.State;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import tools.jackson.databind.JsonNode;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The servers of all projects that can get a lease of their own, as Nova lists them. */
public final class LeasableServers {

    private static final Logger LOG = LoggerFactory.getLogger(LeasableServers.class);

    /** How many servers without an owner a warning names. */
    private static final int MAX_NAMED = 10;

    /** The field with a server's compute host; empty while it is on none. */
    private static final String HOST_FIELD = "OS-EXT-SRV-ATTR:host";

    private final Nova nova;

    public LeasableServers(Nova nova) {
        this.nova = nova;
    }

    /**
     * Returns the servers of all projects, without deleted ones. A server without a project or a
     * user is left out, with a warning: a lease needs both.
     */
    public List<LeasableObject> list() {
        NovaAggregate.Listing aggregates = nova.aggregates();
        Map<Boolean, List<JsonNode>> byOwner =
                nova.fetchServers(Nova.ALL_SERVERS)
                        .filter(found -> !NovaResponses.text(found, "status").contains("DELETED"))
                        .collect(Collectors.partitioningBy(LeasableServers::hasOwner));
        warnOfServersWithoutOwner(byOwner.getOrDefault(false, List.of()));
        return byOwner.getOrDefault(true, List.of()).stream()
                .map(found -> leasable(found, aggregates))
                .toList();
    }

    private static boolean hasOwner(JsonNode found) {
        return !NovaResponses.text(found, "tenant_id").isBlank()
                && !NovaResponses.text(found, "user_id").isBlank();
    }

    private static void warnOfServersWithoutOwner(List<JsonNode> servers) {
        if (!servers.isEmpty()) {
            LOG.atWarn()
                    .addKeyValue("count", servers.size())
                    .addKeyValue(
                            "server_ids",
                            servers.stream()
                                    .limit(MAX_NAMED)
                                    .map(found -> NovaResponses.text(found, "id"))
                                    .toList())
                    .log("Servers without a project or a user get no default lease");
        }
    }

    private static LeasableObject leasable(JsonNode found, NovaAggregate.Listing aggregates) {
        return new LeasableObject(
                ResourceKind.SERVER,
                NovaResponses.text(found, "id"),
                new ProjectId(NovaResponses.text(found, "tenant_id")),
                new UserId(NovaResponses.text(found, "user_id")),
                NovaResponses.text(found.path("flavor"), "original_name"),
                NovaResponses.toStringMap(found.path("metadata")),
                creation(found),
                state(NovaResponses.existingServer(found)),
                obstacle(found, aggregates));
    }

    private static @Nullable Instant creation(JsonNode found) {
        try {
            return Instant.parse(NovaResponses.text(found, "created"));
        } catch (DateTimeException unreadable) {
            return null;
        }
    }

    private static State state(ExistingServer server) {
        if (!Nova.isReadyForActions(server)) {
            return State.UNREADY;
        }
        return server.isShelved() ? State.SHELVED : State.READY;
    }

    /** Returns a reason without the name of a host: it is not for its project. */
    private static @Nullable String obstacle(JsonNode found, NovaAggregate.Listing aggregates) {
        if (NovaResponses.guest(found).reservation().isPresent()) {
            return "The server is in a reservation of instances";
        }
        String host = NovaResponses.text(found, HOST_FIELD);
        return aggregates.hasLeasableHost(host)
                ? "The host of the server is leased as a whole"
                : null;
    }
}
