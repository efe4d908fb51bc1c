package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * Changes a lease that no other client uses, on every node in turn. Each change is based on the
 * result of the preceding one on any node; none conflicts.
 */
final class UncontendedClient {

    private final List<Client> nodes;
    private final String path;
    private long version;

    private UncontendedClient(List<Client> nodes, JsonNode lease) {
        this.nodes = nodes;
        this.path = "/api/leases/" + lease.path("id").asString();
        this.version = lease.path("version").asLong();
    }

    static UncontendedClient withLease(List<Client> nodes, Instant start) {
        return new UncontendedClient(
                nodes,
                nodes.getFirst()
                        .post(
                                "/api/leases",
                                DemoProject.hostRequest(
                                        "bystander",
                                        start,
                                        start.plus(Duration.ofHours(1)),
                                        // Otherwise, the engine would move it from a disabled host.
                                        DemoProject.named("compute-1")))
                        .expect(201));
    }

    /** Returns the number of changes until the end. */
    int renameUntil(BooleanSupplier over) {
        int renamed = 0;
        while (!over.getAsBoolean()) {
            JsonNode lease =
                    nodes.get(renamed % nodes.size())
                            .patchIfMatch(
                                    path,
                                    "\"" + version + "\"",
                                    Map.of("name", "bystander-" + renamed))
                            .expect(200);
            assertThat(lease.path("version").asLong()).isEqualTo(version + 1);
            version++;
            renamed++;
        }
        return renamed;
    }
}
