package org.leasehold.gateway.api.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.leasehold.gateway.api.ApiClient;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.InMemoryApi;
import org.leasehold.gateway.api.event.FakeEventFeed;
import org.leasehold.gateway.v1.InMemoryEngine;
import org.leasehold.wire.event.EventDocuments;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

import tools.jackson.databind.JsonNode;

import java.util.UUID;

/** The client and the webhooks of the tests of webhook routes. */
abstract class WebhookRoutesFixture {

    static final String WEBHOOKS = "/api/webhooks";
    static final String URL = "https://hooks.example.org/a?token=s3cr3t";

    @Autowired InMemoryEngine engine;
    @Autowired FakeWebhooks webhooks;
    @Autowired FakeEventFeed feed;
    @Autowired EventDocuments published;
    @LocalServerPort int port;
    ApiClient client;

    @BeforeEach
    void connect() {
        webhooks.reset();
        client = new ApiClient(new InMemoryApi(port, engine));
    }

    /** Other tests share the server. */
    @AfterEach
    void forget() {
        webhooks.reset();
        feed.forget();
    }

    Answer send(String user, String more) {
        return client.send(user, "POST", WEBHOOKS, "{\"url\": \"%s\"%s}".formatted(URL, more));
    }

    JsonNode make(String user, String more) {
        Answer made = send(user, more);
        assertThat(made.status()).as(made.toString()).isEqualTo(201);
        return made.json();
    }

    static String path(JsonNode made) {
        return WEBHOOKS + "/" + made.at("/webhook/id").asString();
    }

    static UUID id(JsonNode made) {
        return UUID.fromString(made.at("/webhook/id").asString());
    }
}
