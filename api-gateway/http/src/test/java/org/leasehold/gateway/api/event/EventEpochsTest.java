package org.leasehold.gateway.api.event;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.leasehold.gateway.api.ApiClient;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.ApiTest;
import org.leasehold.gateway.api.ApiTestServer;
import org.leasehold.gateway.api.InMemoryApi;
import org.leasehold.gateway.v1.InMemoryEngine;
import org.leasehold.history.Epochs;
import org.leasehold.history.Epochs.Epoch;
import org.leasehold.readmodel.event.EventFeed.Audience;
import org.leasehold.readmodel.event.EventFeed.Entry;
import org.leasehold.readmodel.event.EventFeed.Question;
import org.leasehold.wire.event.EventDocuments;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;

/** Events of an engine that has begun a second epoch, after its first event. */
@ApiTest
@Import(EventEpochsTest.TwoEpochs.class)
class EventEpochsTest {

    @Autowired InMemoryEngine engine;
    @Autowired FakeEventFeed feed;
    @Autowired EventDocuments published;
    @LocalServerPort int port;

    // No @Configuration, which a scan would find.
    static class TwoEpochs {

        @Bean
        Epochs epochs() {
            return new Epochs(
                    List.of(Epochs.FIRST.current(), new Epoch(2, 1, 1, ApiTestServer.NOW)));
        }
    }

    @AfterEach
    void forget() {
        feed.forget();
    }

    @Test
    void a_published_event_has_the_same_epoch_as_in_the_feed() {
        ApiClient client = new ApiClient(new InMemoryApi(port, engine));
        feed.forget();
        feed.happened("p1", "LeaseRequested", "{\"projectId\": \"p1\"}");
        feed.happened("p1", "LeaseRequested", "{\"projectId\": \"p1\"}");

        Answer members = client.get("member", "/api/events");
        Answer admins = client.get("admin", "/api/events");

        assertThat(published.source(1)).isEqualTo(published.installation());
        assertThat(published.source(2)).isEqualTo(published.installation() + "?epoch=2");
        assertThat(members.header("Leasehold-Epoch")).isEqualTo("2");
        List<Entry> events =
                feed.next(new Question(0, new Audience(null, true), Set.of(), 2)).entries();
        assertThat(events).hasSize(2);
        for (Entry event : events) {
            assertThat(members.response().body())
                    .contains(text(published.serializerForProjects().apply(event)));
            assertThat(admins.response().body())
                    .contains(text(published.serializerForOperators().apply(event)));
            assertThat(text(published.serializerForProjects().apply(event)))
                    .contains("\"" + published.source(event.position()) + "\"");
        }
    }

    private static String text(byte[] json) {
        return new String(json, StandardCharsets.UTF_8);
    }
}
