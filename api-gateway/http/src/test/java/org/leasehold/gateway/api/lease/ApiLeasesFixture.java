package org.leasehold.gateway.api.lease;

import org.junit.jupiter.api.BeforeEach;
import org.leasehold.gateway.api.ApiClient;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.FakeAvailability;
import org.leasehold.gateway.api.InMemoryApi;
import org.leasehold.gateway.v1.InMemoryEngine;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

import tools.jackson.databind.JsonNode;

import java.time.Instant;

/** The engine and the client of the tests of leases. */
abstract class ApiLeasesFixture {

    static final Instant START = Instant.parse("2026-11-22T08:00:00Z");
    static final LeasePeriod PERIOD = new LeasePeriod(START, START.plusSeconds(7200));
    static final LeaseId ID = LeaseId.of("00000000-0000-0000-0000-00000000000a");

    static final String WISH =
            """
            {"name": "nightly-build", "start": "2026-11-22T09:00:00+01:00",
             "end": "2026-11-22T10:00:00Z", "reservations": [{"kind": "physical:host", "parameters":
               {"min": 1, "max": 2, "hypervisor_properties": "", "resource_properties": ""}}]}
            """;

    @Autowired InMemoryEngine engine;
    @Autowired FakeAvailability calendar;
    @LocalServerPort int port;

    ApiClient client;

    @BeforeEach
    void the_engine_starts_empty() {
        engine.reset();
        calendar.reset();
        client = new ApiClient(new InMemoryApi(port, engine));
    }

    Answer create() {
        return client.send("member", "POST", "/api/leases", WISH);
    }

    Answer named(String name, String reservation) {
        return client.send(
                "member",
                "POST",
                "/api/leases",
                "{\"name\": \"%s\", \"end\": \"2026-11-22T15:30:00+0530\", \"reservations\": [%s]}"
                        .formatted(name, reservation));
    }

    Answer change(JsonNode lease, String parameters) {
        return client.send(
                "member",
                "PATCH",
                "/api/leases/" + lease.path("id").asString(),
                "{\"reservations\": [{\"id\": \"%s\", \"parameters\": {%s}}]}"
                        .formatted(lease.at("/reservations/0/id").asString(), parameters));
    }

    long enrol() {
        return client.send(
                        "admin",
                        "POST",
                        "/api/resources",
                        "{\"kind\": \"physical:host\", \"name\": \"compute-1\","
                                + " \"capabilities\": {\"gpuModel\": \"V100\"}}")
                .json()
                .path("id")
                .asLong();
    }
}
