package org.leasehold.gateway.api.capacity;

import org.junit.jupiter.api.BeforeEach;
import org.leasehold.gateway.api.ApiClient;
import org.leasehold.gateway.api.InMemoryApi;
import org.leasehold.gateway.v1.InMemoryEngine;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

/** The client and the capacity of the tests of capacity routes. */
abstract class CapacityRoutesFixture {

    static final String HOSTS = "/api/capacity?kind=physical:host";
    static final String FROM = "&from=2026-11-01T00:00:00Z";

    @LocalServerPort private int port;
    @Autowired private InMemoryEngine engine;
    @Autowired FakeCapacities capacity;
    @Autowired FakeForecasts forecast;
    ApiClient client;

    @BeforeEach
    void connect() {
        client = new ApiClient(new InMemoryApi(port, engine));
        client.send(
                "admin", "POST", "/v1/os-hosts", "{\"name\": \"compute-8\", \"gpu\": \"V100\"}");
    }
}
