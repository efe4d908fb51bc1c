package org.leasehold.gateway.api.resource;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.command.CommandContext;
import org.leasehold.gateway.api.ApiClient;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.ApiTest;
import org.leasehold.gateway.api.InMemoryApi;
import org.leasehold.gateway.v1.InMemoryEngine;
import org.leasehold.inventory.ResourceCommand.EnrolResource;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

import java.time.Instant;
import java.util.Map;

/** Tests the retirement of hosts with servers. */
@ApiTest
class HostRetirementRouteTest {

    @Autowired InMemoryEngine engine;
    @LocalServerPort int port;

    private ApiClient client;

    @BeforeEach
    void the_engine_starts_empty() {
        engine.reset();
        client = new ApiClient(new InMemoryApi(port, engine));
    }

    @Test
    void a_host_with_servers_is_not_retired() {
        engine.send(
                new EnrolResource(
                        new ResourceId(1),
                        ResourceKind.PHYSICAL_HOST,
                        "compute-busy",
                        null,
                        null,
                        Map.of(),
                        Map.of()),
                CommandContext.ofEngine(Instant.parse("2026-11-22T08:00:00Z"), "req", null));

        Answer answer = client.send("admin", "DELETE", "/api/resources/1", "");

        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.json().path("type").asString()).isEqualTo("/problems/in-use");
        assertThat(answer.json().path("detail").asString())
                .isEqualTo("compute-busy is used by web, db.");
    }
}
