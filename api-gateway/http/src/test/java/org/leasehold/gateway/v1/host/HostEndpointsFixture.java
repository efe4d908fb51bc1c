package org.leasehold.gateway.v1.host;

import static org.assertj.core.api.Assertions.assertThat;

import org.leasehold.gateway.v1.V1TestServer;

/** The requests about hosts of several tests. */
abstract class HostEndpointsFixture extends V1TestServer {

    void enrol(String name) {
        Answer answer =
                post(
                        "admin",
                        "/v1/os-hosts",
                        "{\"name\": \"%s\", \"gpu\": \"V100\"}".formatted(name));
        assertThat(answer.status()).isEqualTo(201);
    }
}
