package org.leasehold.gateway.api.usage;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.ApiTest;
import org.leasehold.gateway.api.ApiTestServer;

import java.time.Instant;

/** Tests the windows and the other parameters of usage routes. */
@ApiTest
class UsageWindowTest extends UsageRoutesFixture {

    @Test
    void the_default_window_is_the_current_month_until_now() {
        usages.add(line("east"));
        usages.add(line("west"));

        Answer answer = client.get("planner", "/api/usage?by=zone&limit=1");

        assertThat(lastQuestion().from().toString()).endsWith("-01T00:00:00Z");
        String link = answer.header("Link");
        client.get("planner", link.substring(1, link.indexOf('>')));
        assertThat(lastQuestion().to()).as("all pages end there").isEqualTo(ApiTestServer.NOW);
        assertThat(answer.json().get("to").asString()).isEqualTo(ApiTestServer.NOW.toString());
    }

    @Test
    void usage_as_of_an_instant_uses_that_position_and_time() {
        Answer answer = client.get("planner", "/api/usage?as_of=" + ApiTestServer.NOW);
        assertThat(lastQuestion().asOf()).isEqualTo(answer.position());
        assertThat(lastQuestion().now()).isEqualTo(ApiTestServer.NOW);
    }

    @Test
    void the_month_of_a_window_ends_at_the_latest_with_the_last_instant() {
        client.get("planner", "/api/usage?from=9999-12-31T00:00:00Z");

        assertThat(lastQuestion().to()).isEqualTo(Instant.parse("9999-12-31T23:59:59Z"));
    }

    @Test
    void a_window_before_the_first_instant_is_rejected() {
        Answer refused = client.get("planner", "/api/usage?to=1970-01-01T00:00:00Z");

        assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
        assertThat(refused.names("to")).as(refused.toString()).isTrue();
    }

    @Test
    void a_future_window_is_empty() {
        Answer answer = client.get("planner", "/api/usage?from=2040-01-01T00:00:00Z");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().get("to")).isEqualTo(answer.json().get("from"));
    }

    @ParameterizedTest
    @CsvSource({
        "by=gpu, kind",
        "by=project&requirement=%5B%5D, kind",
        "'by=project,zone,lease', by",
        "'by=zone,zone', by",
        "'by=,zone', kind",
        "requirement=nonsense&kind=physical:host, requirement",
        "by=capabilities:lease&kind=physical:host, by",
        "by=gpu&kind=nonsense, kind",
        "resource=0, resource",
        "lease=nonsense, lease",
        "from=nonsense, from",
        "from=2026-10-02T00:00:00Z&to=2026-10-02T00:00:00Z, to",
        "from=2026-10-02T00:00:00Z&to=2028-10-02T00:00:00Z, to",
        "as_of=2040-01-01T00:00:00Z, as_of",
        "marker=nonsense, marker",
        "limit=1001, limit",
        "nonsense=1, nonsense"
    })
    void an_invalid_parameter_is_rejected_with_the_field_name(String query, String field) {
        Answer refused = client.get("member", "/api/usage?" + query);
        assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
        assertThat(refused.names(field)).as(refused.toString()).isTrue();
    }
}
