package org.leasehold.gateway.api.resource;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.gateway.api.ApiClient;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.ApiTest;
import org.leasehold.gateway.api.InMemoryApi;
import org.leasehold.gateway.v1.InMemoryEngine;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

@ApiTest
class KindRoutesTest {

    private static final Path CHECKED_IN =
            Path.of("src/test/resources/org/leasehold/gateway/api/resource/kinds.json");

    @Autowired InMemoryEngine engine;
    @LocalServerPort int port;

    private ApiClient client;

    @BeforeEach
    void connect() {
        engine.reset();
        client = new ApiClient(new InMemoryApi(port, engine));
    }

    /**
     * Compares with the file. To accept a change, build once with -Dopenapi=write, and review it.
     */
    @Test
    void the_served_kinds_equal_the_checked_in_file() throws IOException {
        ObjectNode all = ApiClient.JSON.createObjectNode();
        for (JsonNode kind : client.get("reader", "/api/kinds").json().path("kinds")) {
            String name = kind.path("name").asString();
            all.set(name, show("reader", name).json());
        }
        String served =
                ApiClient.JSON.writerWithDefaultPrettyPrinter().writeValueAsString(all) + "\n";
        if ("write".equals(System.getProperty("openapi"))) {
            Files.createDirectories(CHECKED_IN.getParent());
            Files.writeString(CHECKED_IN, served);
        }
        assertThat(served).isEqualTo(Files.readString(CHECKED_IN));
    }

    @Test
    void a_kind_shows_the_parameters_and_the_resources() {
        JsonNode hosts = show("member", "physical:host").json();

        assertThat(hosts.path("name").asString()).isEqualTo("physical:host");
        assertThat(hosts.at("/resources/0/share").asString()).isEqualTo("whole");
        assertThat(hosts.at("/parameters/properties/min/maximum").asInt()).isEqualTo(10_000);
        assertThat(hosts.at("/parameters/required").size()).isEqualTo(2);
        assertThat(hosts.at("/changes").has("required")).isFalse();
        assertThat(show("member", "virtual:instance").json().at("/resources/0").toString())
                .isEqualTo("{\"kind\":\"physical:host\",\"share\":\"part\"}");
    }

    @Test
    void an_unknown_kind_answers_404() {
        for (String name : List.of("physical:hosts", "%20", "x".repeat(1_000))) {
            Answer missing = show("member", name);
            assertThat(missing.status()).as(name).isEqualTo(404);
            assertThat(missing.isProblem()).as(name).isTrue();
        }
    }

    @Test
    void a_known_tag_of_a_kind_answers_304() {
        Answer first = show("member", "physical:host");
        String tag = first.header("ETag");

        assertThat(tag).isNotBlank();
        assertThat(first.header("Cache-Control")).contains("no-cache").doesNotContain("no-store");
        assertThat(unless(tag).status()).isEqualTo(304);
        assertThat(unless("\"other\"").status()).isEqualTo(200);
        assertThat(show("member", "virtual:stack").header("ETag")).isNotEqualTo(tag);
    }

    private Answer show(String user, String kind) {
        return client.get(user, "/api/kinds/" + kind);
    }

    private Answer unless(String tag) {
        return client.send(
                client.request("member", "/api/kinds/physical:host").header("If-None-Match", tag),
                "GET",
                null);
    }
}
