package org.leasehold.gateway.api.operation;

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

@ApiTest
class ReadModelRoutesTest {

    private static final String LIST = "/api/operations/read-models";

    @Autowired InMemoryEngine engine;
    @Autowired FakeReadModels readModels;
    @LocalServerPort int port;

    private ApiClient client;

    @BeforeEach
    void connect() {
        client = new ApiClient(new InMemoryApi(port, engine));
        readModels.reset();
    }

    @Test
    void a_rebuild_is_accepted_and_shows_the_progress() {
        assertThat(state("leases")).isEqualTo("served");

        Answer begun = client.send("admin", "POST", LIST + "/leases/rebuild", null);

        assertThat(begun.status()).isEqualTo(202);
        assertThat(begun.json()).isEqualTo(client.get("admin", LIST).json());
        assertThat(state("leases")).isEqualTo("rebuilt");
        assertThat(state("resources")).isEqualTo("served");
        assertThat(of("leases").path("last_position").asLong()).isEqualTo(7);
    }

    @Test
    void one_request_rebuilds_all_read_models() {
        assertThat(client.send("admin", "POST", LIST + "/rebuild", null).status()).isEqualTo(202);

        assertThat(state("leases")).isEqualTo("rebuilt");
        assertThat(state("resources")).isEqualTo("rebuilt");
    }

    @Test
    void a_second_concurrent_rebuild_answers_409() {
        readModels.isBusy();

        Answer refused = client.send("admin", "POST", LIST + "/rebuild", null);

        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.json().path("type").asString()).isEqualTo("/problems/wrong-state");
    }

    @Test
    void a_rebuild_of_an_unknown_read_model_answers_404() {
        assertThat(client.send("admin", "POST", LIST + "/events/rebuild", null).status())
                .isEqualTo(404);
    }

    private String state(String name) {
        return of(name).path("state").asString();
    }

    private JsonNode of(String name) {
        return client.get("admin", LIST)
                .json()
                .path("read_models")
                .valueStream()
                .filter(readModel -> readModel.path("name").asString().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
