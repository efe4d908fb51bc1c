package org.leasehold.gateway.api.audit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.ApiTest;

import tools.jackson.databind.JsonNode;

/** The erasure of request origins. */
@ApiTest
class OriginErasureRoutesTest extends AuditRoutesFixture {

    @Test
    void an_erasure_of_origins_is_counted_and_shown_to_auditors() {
        Answer erased =
                client.send(
                        client.request(
                                        "admin",
                                        "/api/audit/origins?user=eve&before=2026-11-01T00:00:00Z")
                                .header("Leasehold-Reason", "she asked")
                                .DELETE());

        assertThat(erased.json().path("erased").asInt()).isEqualTo(3);
        JsonNode listed = client.get("auditor", "/api/audit/erasures").json().at("/erasures/0");
        assertThat(listed.path("user_id").asString()).isEqualTo("u-admin");
        assertThat(listed.path("of_user_id").asString()).isEqualTo("eve");
        assertThat(listed.path("before").asString()).isEqualTo("2026-11-01T00:00:00Z");
        assertThat(listed.path("reason").asString()).isEqualTo("she asked");
        assertThat(listed.path("erased").asInt()).isEqualTo(3);
        assertThat(listed.path("request_id").asString())
                .isEqualTo(erased.header("x-openstack-request-id"));
        assertThat(client.get("auditor", "/api/audit/erasures?marker=x").names("marker")).isTrue();
    }

    @Test
    void an_erasure_of_origins_requires_a_user() {
        Answer refused = client.send("admin", "DELETE", "/api/audit/origins", null);

        assertThat(refused.names("user")).isTrue();
    }
}
