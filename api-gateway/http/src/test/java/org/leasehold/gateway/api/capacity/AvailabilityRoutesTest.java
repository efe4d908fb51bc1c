package org.leasehold.gateway.api.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.gateway.api.ApiClient;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.ApiTest;
import org.leasehold.gateway.api.FakeAvailability;
import org.leasehold.gateway.api.InMemoryApi;
import org.leasehold.gateway.v1.InMemoryEngine;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

import java.time.Instant;

@ApiTest
class AvailabilityRoutesTest {

    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

    @Autowired InMemoryEngine engine;
    @Autowired FakeAvailability availability;
    @LocalServerPort int port;

    @Test
    void the_default_search_ends_at_the_latest_with_the_last_instant() {
        Answer answer =
                new ApiClient(new InMemoryApi(port, engine))
                        .get(
                                "member",
                                "/api/availability?kind=physical:host&duration=PT1H"
                                        + "&earliest=9999-12-31T00:00:00Z");

        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        assertThat(availability.lastQuestion().horizon()).isEqualTo(LAST);
        assertThat(answer.json().at("/openings/0/end").asString()).isEqualTo(LAST.toString());
    }
}
