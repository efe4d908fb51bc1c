package org.leasehold.gateway.api.usage;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.leasehold.gateway.api.ApiClient;
import org.leasehold.gateway.api.FakeLabels;
import org.leasehold.gateway.api.InMemoryApi;
import org.leasehold.gateway.v1.InMemoryEngine;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.usage.Usages.ListUsage;
import org.leasehold.readmodel.usage.Usages.Usage;
import org.leasehold.readmodel.usage.Usages.Use;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

import java.math.BigDecimal;
import java.time.Instant;

/** The client and the usage of the tests of usage routes. */
abstract class UsageRoutesFixture {

    static final Instant FROM = Instant.parse("2026-10-01T00:00:00Z");
    static final Instant TO = Instant.parse("2026-10-02T00:00:00Z");
    static final String WINDOW = "from=" + FROM + "&to=" + TO;

    @Autowired InMemoryEngine engine;
    @Autowired FakeUsages usages;
    @Autowired FakeLabels labels;
    @LocalServerPort int port;

    ApiClient client;

    @BeforeEach
    void the_engine_starts_empty() {
        engine.reset();
        client = new ApiClient(new InMemoryApi(port, engine));
        labels.clear();
    }

    @AfterEach
    void forget() {
        usages.clear();
        labels.clear();
    }

    static Usage line(@Nullable String value) {
        return line(value, null);
    }

    static Usage line(@Nullable String value, @Nullable String other) {
        return new Usage(
                value,
                other,
                ResourceKind.PHYSICAL_HOST,
                new BigDecimal("7200.000000"),
                new BigDecimal("7199.250000"),
                new Use(
                        new BigDecimal("7000.000000"),
                        new BigDecimal("3500.500000"),
                        new BigDecimal("6999.000000"),
                        new BigDecimal("27996.000000")));
    }

    ListUsage lastQuestion() {
        return usages.questions().getLast();
    }
}
