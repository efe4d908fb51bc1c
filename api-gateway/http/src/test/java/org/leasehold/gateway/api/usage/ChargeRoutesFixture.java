package org.leasehold.gateway.api.usage;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.leasehold.gateway.api.ApiClient;
import org.leasehold.gateway.api.FakeLabels;
import org.leasehold.gateway.api.InMemoryApi;
import org.leasehold.gateway.v1.InMemoryEngine;
import org.leasehold.vocabulary.ReservationId;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

import java.time.Instant;

/** The client and the charges of the tests of charge routes. */
abstract class ChargeRoutesFixture {

    static final Instant FROM = SampleCharges.FROM;
    static final Instant TO = Instant.parse("2026-11-01T00:00:00Z");
    static final String WINDOW = "from=" + FROM + "&to=" + TO;
    static final ReservationId R = SampleCharges.R;

    @Autowired InMemoryEngine engine;
    @Autowired FakeCharges charges;
    @Autowired FakeLabels labels;
    @LocalServerPort int port;
    ApiClient client;

    @BeforeEach
    void connect() {
        client = new ApiClient(new InMemoryApi(port, engine));
        labels.clear();
    }

    @AfterEach
    void forget() {
        charges.has(true);
        engine.reset();
        charges.clear();
        labels.clear();
    }
}
