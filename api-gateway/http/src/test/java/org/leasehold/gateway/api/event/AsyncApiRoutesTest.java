package org.leasehold.gateway.api.event;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.gateway.api.ApiClient;
import org.leasehold.gateway.api.ApiTest;
import org.leasehold.gateway.api.InMemoryApi;
import org.leasehold.gateway.v1.InMemoryEngine;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;

@ApiTest
class AsyncApiRoutesTest {

    @Autowired InMemoryEngine engine;
    @LocalServerPort int port;

    @Test
    void the_asyncapi_document_is_served_without_authentication() throws IOException {
        HttpResponse<String> served =
                new ApiClient(new InMemoryApi(port, engine)).get("", "/asyncapi.json").response();

        assertThat(served.statusCode()).isEqualTo(200);
        assertThat(served.headers().firstValue("Content-Type")).hasValue("application/json");
        assertThat(served.body())
                .isEqualTo(Files.readString(Path.of("../../infra/docs/openapi/asyncapi.json")));
    }
}
