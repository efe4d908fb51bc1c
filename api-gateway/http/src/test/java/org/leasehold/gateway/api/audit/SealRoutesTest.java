package org.leasehold.gateway.api.audit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.gateway.api.ApiClient;
import org.leasehold.gateway.api.ApiTest;
import org.leasehold.gateway.api.InMemoryApi;
import org.leasehold.gateway.v1.InMemoryEngine;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

import tools.jackson.databind.JsonNode;

@ApiTest
class SealRoutesTest {

    @Autowired InMemoryEngine engine;
    @LocalServerPort int port;

    private ApiClient client;

    @BeforeEach
    void connect() {
        client = new ApiClient(new InMemoryApi(port, engine));
    }

    @Test
    void signed_heads_are_listed_page_by_page() {
        JsonNode first = client.get("auditor", "/api/audit/heads?limit=2").json();

        assertThat(first.at("/heads/0/text").asString()).isEqualTo("{\"number\":1}");
        assertThat(first.at("/heads/0/signature").asString()).isEqualTo("c2ln");
        assertThat(first.path("heads")).hasSize(2);
        JsonNode second =
                client.get("admin", "/api/audit/heads?limit=2&after=" + first.path("next").asLong())
                        .json();
        assertThat(second.at("/heads/0/number").asLong()).isEqualTo(3);
        assertThat(second.path("heads")).hasSize(1);
        assertThat(second.path("next").isNull()).isTrue();
    }

    @Test
    void a_key_names_the_key_that_signed_it() {
        JsonNode keys = client.get("auditor", "/api/audit/keys").json().path("keys");

        assertThat(keys.at("/0/id").asString()).isEqualTo("one");
        assertThat(keys.at("/0/signed_by").isNull()).isTrue();
        assertThat(keys.at("/1/signed_by").asString()).isEqualTo("one");
        assertThat(keys.at("/1/public_key").asString()).isEqualTo("a2V5");
    }
}
