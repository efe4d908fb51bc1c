package org.leasehold.gateway.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.calendar.FakeCalendarFeeds;
import org.leasehold.gateway.v1.InMemoryEngine;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.TestPropertySource;

/** Addresses that the API creates if the server trusts the proxy before it. */
@ApiTest
@TestPropertySource(properties = "server.forward-headers-strategy=framework")
class BehindProxyTest {

    private static final String FEEDS = "/api/calendar/feeds";

    @Autowired InMemoryEngine engine;
    @Autowired FakeCalendarFeeds feeds;
    @LocalServerPort int port;

    @AfterEach
    void forget() {
        feeds.reset();
    }

    @Test
    void the_url_of_a_feed_is_built_from_trusted_forwarded_headers() {
        ApiClient client = new ApiClient(new InMemoryApi(port, engine));
        Answer opened =
                client.send(
                        client.request("member", FEEDS)
                                .header("X-Forwarded-Proto", "https")
                                .header("X-Forwarded-Host", "leases.example.org")
                                .header("X-Forwarded-Prefix", "/reservation"),
                        "POST",
                        "{}");

        assertThat(opened.json().path("url").asString())
                .startsWith("https://leases.example.org/reservation/calendar/");
    }
}
