package org.leasehold.gateway.api.usage;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.leasehold.gateway.api.ApiClient;
import org.leasehold.gateway.api.FakeLabels;
import org.leasehold.gateway.api.InMemoryApi;
import org.leasehold.gateway.v1.InMemoryEngine;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.usage.Charge;
import org.leasehold.readmodel.usage.Charge.Time;
import org.leasehold.readmodel.usage.Charge.Use;
import org.leasehold.readmodel.usage.Charge.What;
import org.leasehold.vocabulary.ReservationId;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Currency;
import java.util.UUID;

/** The client and the charges of the tests of charge routes. */
abstract class ChargeRoutesFixture {

    static final Instant FROM = Instant.parse("2026-10-01T00:00:00Z");
    static final Instant TO = Instant.parse("2026-11-01T00:00:00Z");
    static final String WINDOW = "from=" + FROM + "&to=" + TO;
    private static final Currency EUR = Currency.getInstance("EUR");
    static final ReservationId R = new ReservationId(new UUID(2, 1));

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

    static Charge usage(Instant until) {
        return new Charge(
                R,
                ResourceKind.PHYSICAL_HOST,
                new Use(
                        new ResourceId(7),
                        "compute-7",
                        ResourceKind.PHYSICAL_HOST,
                        2,
                        Use.SLOT,
                        Time.ACTIVE),
                What.USAGE,
                null,
                "2026",
                FROM,
                until,
                new BigDecimal("0.125"),
                EUR);
    }

    static Charge fee() {
        return new Charge(
                R,
                ResourceKind.PHYSICAL_HOST,
                null,
                What.RESERVATION_FEE,
                null,
                "2026",
                FROM,
                FROM,
                new BigDecimal("1.5"),
                EUR);
    }
}
