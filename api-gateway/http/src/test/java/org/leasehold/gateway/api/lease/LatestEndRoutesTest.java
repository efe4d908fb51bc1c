package org.leasehold.gateway.api.lease;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.gateway.api.ApiTest;
import org.leasehold.inventory.ResourceId;
import org.leasehold.readmodel.capacity.LatestEnds.LatestEnd;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.time.Instant;

@ApiTest
class LatestEndRoutesTest extends ApiLeasesFixture {

    @Test
    void a_limited_lease_has_a_latest_end_and_the_resource_that_limits_it() {
        JsonNode lease = create().json();
        Instant latest = PERIOD.end().plus(Duration.ofHours(3));
        calendar.limitEnds(new LatestEnd(latest, new ResourceId(7)));

        JsonNode shown = latestEnd(lease);

        assertThat(shown.path("lease_id")).isEqualTo(lease.path("id"));
        assertThat(shown.path("end").asString()).isEqualTo(PERIOD.end().toString());
        assertThat(shown.path("latest_end").asString()).isEqualTo(latest.toString());
        assertThat(shown.path("resource_id").asLong()).isEqualTo(7);
    }

    @Test
    void an_unlimited_lease_has_no_latest_end() {
        assertThat(latestEnd(create().json()).propertyNames())
                .containsExactlyInAnyOrder("lease_id", "end");
    }

    @Test
    void a_lease_that_is_over_keeps_the_present_end() {
        JsonNode lease = create().json();
        client.send("member", "POST", "/api/leases/" + lease.path("id").asString() + "/end", "{}");
        calendar.limitEnds(new LatestEnd(Instant.MAX, null));

        JsonNode shown = latestEnd(lease);

        assertThat(shown.path("latest_end")).isEqualTo(shown.path("end"));
    }

    @Test
    void the_lease_of_another_project_does_not_exist() {
        String id = create().json().path("id").asString();

        assertThat(client.get("stranger", "/api/leases/" + id + "/latest-end").status())
                .isEqualTo(404);
    }

    private JsonNode latestEnd(JsonNode lease) {
        return client.get("member", "/api/leases/" + lease.path("id").asString() + "/latest-end")
                .json();
    }
}
