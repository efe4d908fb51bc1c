package org.leasehold.gateway.v1;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.test.context.TestPropertySource;

/** A server that is configured to trust the headers of its proxies. */
@TestPropertySource(properties = "server.forward-headers-strategy=framework")
class BehindProxyTest extends V1TestServer {

    @Test
    void discovery_uses_the_forwarded_host_and_prefix() {
        Answer answer =
                send(
                        request("reader", "/")
                                .header("X-Forwarded-Proto", "https")
                                .header("X-Forwarded-Host", "cloud.example")
                                .header("X-Forwarded-Prefix", "/reservation"));
        assertThat(answer.json().at("/versions/0/links/0/href").asString())
                .isEqualTo("https://cloud.example/reservation/v1");
    }

    @Test
    void a_malformed_forwarded_port_answers_400() {
        Answer answer =
                send(
                        request("reader", "/")
                                .header("X-Forwarded-Host", "cloud.example")
                                .header("X-Forwarded-Port", "eleven"));
        assertThat(answer.status()).isEqualTo(400);
    }

    @Test
    void the_next_link_uses_the_forwarded_host_and_prefix() {
        leaseOf("member");
        leaseOf("member");
        Answer answer =
                send(
                        request("member", "/v1/leases.json?limit=1")
                                .header("X-Forwarded-Proto", "https")
                                .header("X-Forwarded-Host", "cloud.example")
                                .header("X-Forwarded-Prefix", "/reservation"));
        assertThat(answer.header("Link"))
                .startsWith("<https://cloud.example/reservation/v1/leases?limit=1&marker=");
    }
}
