package org.leasehold.gateway.v1;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class FlavorInstancesTest extends V1TestServer {

    private static String lease(String reservation) {
        return """
        {"name": "small", "start_date": "2026-11-22 08:00", "end_date": "2026-11-22 10:00",
         "reservations": [{"resource_type": "flavor:instance", %s}]}
        """
                .formatted(reservation);
    }

    private Answer create(String user, String flavor) {
        return post(
                user,
                "/v1/leases",
                lease("\"flavor_id\": \"" + flavor + "\", \"amount\": 2, \"affinity\": \"None\""));
    }

    @Test
    void a_flavor_reservation_shows_the_values_of_the_flavor() {
        Answer answer = create("member", "small");
        assertThat(answer.status()).isEqualTo(201);
        JsonNode reservation = answer.json().at("/lease/reservations/0");

        assertThat(reservation.path("resource_type").asString()).isEqualTo("flavor:instance");
        assertThat(reservation.path("vcpus").asInt()).isEqualTo(1);
        assertThat(reservation.path("memory_mb").asInt()).isEqualTo(2048);
        assertThat(reservation.path("disk_gb").asInt()).isEqualTo(20);
        assertThat(reservation.path("amount").asInt()).isEqualTo(2);
        assertThat(reservation.path("affinity").isNull()).isTrue();
        assertThat(reservation.path("server_group_id").isNull()).isTrue();
        assertThat(reservation.path("flavor_id")).isEqualTo(reservation.path("id"));
        assertThat(reservation.has("flavor")).isFalse();
        JsonNode source = JSON.readTree(reservation.path("resource_properties").asString());
        assertThat(source.path("id").asString()).isEqualTo("small");
        assertThat(source.at("/extra_specs/hw:numa_nodes").asString()).isEqualTo("1");
    }

    @Test
    void a_flavor_that_the_project_may_not_use_answers_404() {
        Answer unknown = create("member", "none");
        assertThat(unknown.status()).isEqualTo(404);
        assertThat(unknown.message()).isEqualTo("Flavor none could not be found.");

        assertThat(create("member", "private").status()).isEqualTo(404);
        assertThat(create("other", "private").status()).isEqualTo(201);
    }

    @Test
    void an_unavailable_cloud_answers_503_with_retry_after() {
        Answer away = create("member", "away");

        assertThat(away.status()).isEqualTo(503);
        assertThat(away.header("Retry-After")).isNotEmpty();
        assertThat(away.message()).isEqualTo("Nova does not answer");
    }

    @Test
    void a_caller_cannot_set_the_values_of_a_flavor() {
        Answer answer =
                post(
                        "member",
                        "/v1/leases",
                        lease(
                                """
                                "flavor_id": "large", "amount": 2, "affinity": null, "vcpus": 1,
                                "flavor": {"id": "large", "name": "free", "vcpus": 1,
                                  "memory_mb": 1, "disk_gb": 0, "extra_specs": {}}
                                """));

        assertThat(answer.json().at("/lease/reservations/0/vcpus").asInt()).isEqualTo(8);
    }

    @Test
    void missing_and_unsupported_parameters_get_blazar_messages() {
        Answer missing = post("member", "/v1/leases", lease("\"amount\": 2"));
        assertThat(missing.status()).isEqualTo(400);
        assertThat(missing.message()).isEqualTo("Missing parameter flavor_id,affinity");

        Answer affinity =
                post(
                        "member",
                        "/v1/leases",
                        lease("\"flavor_id\": \"small\", \"amount\": 2, \"affinity\": false"));
        assertThat(affinity.status()).isEqualTo(400);
        assertThat(affinity.message()).isEqualTo("Affinity not supported yet");
    }

    @Test
    void a_change_accepts_only_flavors_visible_to_the_project_of_the_lease() {
        JsonNode lease = create("member", "small").json().path("lease");

        assertThat(change("member", lease, "\"flavor_id\": \"large\"").status()).isEqualTo(200);
        assertThat(shown(lease).path("vcpus").asInt()).isEqualTo(8);

        Answer hidden = change("admin", lease, "\"flavor_id\": \"private\"");
        assertThat(hidden.status()).isEqualTo(404);
        assertThat(hidden.message()).isEqualTo("Flavor private could not be found.");

        assertThat(change("member", lease, "\"amount\": 5").status()).isEqualTo(200);
        assertThat(shown(lease).path("amount").asInt()).isEqualTo(5);
        assertThat(shown(lease).path("vcpus").asInt()).isEqualTo(8);
    }

    @Test
    void a_change_with_the_shown_reservation_keeps_the_flavor() {
        JsonNode lease = create("member", "small").json().path("lease");
        ObjectNode whole = (ObjectNode) lease.at("/reservations/0");
        whole.put("amount", 4);

        Answer changed =
                put(
                        "member",
                        "/v1/leases/" + lease.path("id").asString(),
                        "{\"reservations\": [" + whole + "]}");

        assertThat(changed.status()).as(changed.toString()).isEqualTo(200);
        assertThat(shown(lease).path("amount").asInt()).isEqualTo(4);
        assertThat(shown(lease).path("vcpus").asInt()).isEqualTo(1);
    }

    private Answer change(String user, JsonNode lease, String fields) {
        return put(
                user,
                "/v1/leases/" + lease.path("id").asString(),
                "{\"reservations\": [{\"id\": \"%s\", %s}]}"
                        .formatted(lease.at("/reservations/0/id").asString(), fields));
    }

    private JsonNode shown(JsonNode lease) {
        return get("member", "/v1/leases/" + lease.path("id").asString())
                .json()
                .at("/lease/reservations/0");
    }
}
