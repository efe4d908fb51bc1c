package org.leasehold.gateway.api.lease;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.ApiTest;
import org.leasehold.gateway.api.ApiTestServer;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Tests histories of leases, and leases as of an instant. */
@ApiTest
class LeasesAsOfTest extends ApiLeasesFixture {

    @Test
    void as_of_returns_a_lease_as_known_at_the_instant() {
        String lease = create().header("Location");
        long made = engine.position();
        client.send("member", "PATCH", lease, "{\"name\": \"renamed\"}");
        long renamed = engine.position();
        client.send("member", "DELETE", lease, null);
        long deleted = engine.position();

        Answer first = asOf("reader", lease, engine.storedAt(made));
        assertThat(first.json().path("name").asString()).isEqualTo("nightly-build");
        assertThat(first.header("ETag")).isEmpty();
        assertThat(first.header("Leasehold-Position")).isEqualTo(Long.toString(made));
        Answer second = asOf("reader", lease, engine.storedAt(deleted).minusMillis(1));
        assertThat(second.json().path("name").asString()).isEqualTo("renamed");
        assertThat(second.header("Leasehold-Position")).isEqualTo(Long.toString(renamed));
        assertThat(asOf("reader", lease, engine.storedAt(deleted)).status()).isEqualTo(404);
        assertThat(asOf("reader", lease, engine.storedAt(made).minusMillis(1)).status())
                .isEqualTo(404);
        assertThat(asOf("stranger", lease, engine.storedAt(made)).status()).isEqualTo(404);
    }

    private Answer asOf(String user, String address, Instant instant) {
        return client.get(user, address + "?as_of=" + instant);
    }

    @Test
    void as_of_rejects_future_instants_and_dates() {
        String lease = create().header("Location");
        for (String address : List.of(lease, lease + "/history")) {
            assertThat(asOf("reader", address, ApiTestServer.NOW).status()).isEqualTo(200);
            Answer future = asOf("reader", address, ApiTestServer.NOW.plusMillis(1));
            assertThat(future.status()).isEqualTo(400);
            assertThat(future.names("as_of")).isTrue();
            Answer day = client.get("reader", address + "?as_of=2026-11-20");
            assertThat(day.status()).isEqualTo(400);
            assertThat(day.names("as_of")).isTrue();
        }
    }

    @Test
    void a_list_as_of_an_instant_is_consistent_across_pages() {
        List<String> made = Stream.generate(this::createdId).limit(3).toList();
        Instant then = engine.storedAt(engine.position());
        String later = createdId();

        List<String> known = listed("reader", "/api/leases?limit=2&as_of=" + then);

        assertThat(known).containsAll(made).doesNotContain(later).doesNotHaveDuplicates();
        assertThat(listed("reader", "/api/leases?limit=2")).contains(later);
        assertThat(listed("stranger", "/api/leases?as_of=" + then))
                .doesNotContainAnyElementsOf(made);
        assertThat(client.get("reader", "/api/leases?marker=x&as_of=" + then).names("marker"))
                .isTrue();
        assertThat(asOf("reader", "/api/leases", ApiTestServer.NOW.plusMillis(1)).names("as_of"))
                .isTrue();
    }

    private String createdId() {
        return create().json().path("id").asString();
    }

    /** Returns the ids of all pages. */
    private List<String> listed(String user, String first) {
        List<String> ids = new ArrayList<>();
        String next = first;
        while (!next.isEmpty()) {
            Answer page = client.get(user, next);
            assertThat(page.status()).as(page.toString()).isEqualTo(200);
            page.json().path("leases").forEach(lease -> ids.add(lease.path("id").asString()));
            String link = page.header("Link");
            next = link.isEmpty() ? "" : link.substring(1, link.indexOf('>'));
        }
        return ids;
    }

    @Test
    void a_history_as_of_an_instant_has_the_events_recorded_until_then() {
        String lease = create().header("Location");
        Instant made = engine.storedAt(engine.position());
        assertThat(asOf("auditor", lease + "/history", made).json().path("events")).hasSize(1);
        assertThat(asOf("auditor", lease + "/history", made.minusMillis(1)).status())
                .isEqualTo(404);
    }

    @Test
    void a_history_event_includes_the_user_and_the_reason() {
        String lease = create().header("Location");
        JsonNode event = client.get("auditor", lease + "/history").json().at("/events/0");
        assertThat(event.path("type").asString()).isEqualTo("LeaseRequested");
        assertThat(event.path("user_id").asString()).isEqualTo("u-member");
        assertThat(event.path("reason").asString()).isEqualTo("because");
    }
}
