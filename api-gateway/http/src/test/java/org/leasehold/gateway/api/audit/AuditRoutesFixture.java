package org.leasehold.gateway.api.audit;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.leasehold.gateway.api.ApiClient;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.FakeLabels;
import org.leasehold.gateway.api.InMemoryApi;
import org.leasehold.gateway.v1.InMemoryEngine;
import org.leasehold.vocabulary.LeaseId;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

import java.time.Instant;
import java.util.UUID;

/** The client and the events of the tests of audit routes. */
abstract class AuditRoutesFixture {

    static final String EVENTS = "/api/audit/events";
    static final String CSV = "text/csv";
    static final String LINES = "application/x-ndjson";
    static final String REQUEST = "req-" + new UUID(7, 7);
    static final LeaseId LEASE = new LeaseId(new UUID(0, 1));
    static final Instant NOVEMBER = Instant.parse("2026-11-01T00:00:00Z");
    static final Instant DECEMBER = Instant.parse("2026-12-01T00:00:00Z");

    @Autowired InMemoryEngine engine;
    @Autowired FakeAuditTrail trail;
    @Autowired FakeCloudCalls calls;
    @Autowired FakeLabels labels;
    @LocalServerPort int port;

    ApiClient client;

    @BeforeEach
    void connect() {
        engine.reset();
        trail.forget();
        calls.forget();
        labels.clear();
        client = new ApiClient(new InMemoryApi(port, engine));
    }

    void happened(String type, @Nullable Long causation) {
        trail.happened("Lease", LEASE.toString(), type, REQUEST, causation, null, "{}");
    }

    void lease(String type, String data) {
        trail.happened("Lease", LEASE.toString(), type, null, null, null, data);
    }

    Answer as(String user, String accept, String query) {
        return client.send(client.request(user, EVENTS + query).header("Accept", accept).GET());
    }
}
