package org.leasehold.gateway.v1.host;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceRejection;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.Set;

/** The hosts of Blazar's API: their enrolment, changes and retirement. */
class HostEndpointsTest extends HostEndpointsFixture {

    @Test
    void an_enrolled_host_has_cloud_properties_and_given_capabilities() {
        Answer answer =
                post(
                        "admin",
                        "/v1/os-hosts",
                        """
                        {"name": "compute-1", "gpu": "V100", "slots": 5, "ssd": true, "load": 1.50,
                         "vcpus": 999, "reservable": false, "trust_id": "t"}
                        """);
        assertThat(answer.status()).isEqualTo(201);
        JsonNode host = answer.json().path("host");
        assertThat(host.propertyNames())
                .containsExactly(
                        "id",
                        "hypervisor_hostname",
                        "service_name",
                        "hypervisor_type",
                        "hypervisor_version",
                        "vcpus",
                        "memory_mb",
                        "local_gb",
                        "cpu_info",
                        "availability_zone",
                        "status",
                        "reservable",
                        "trust_id",
                        "created_at",
                        "updated_at",
                        "gpu",
                        "load",
                        "slots",
                        "ssd");
        assertThat(host.path("id").asString()).isEqualTo("1");
        assertThat(host.path("id").isString()).isTrue();
        assertThat(host.path("hypervisor_hostname").asString()).isEqualTo("compute-1");
        assertThat(host.path("hypervisor_version").isInt()).isTrue();
        assertThat(host.path("vcpus").intValue()).isEqualTo(16);
        assertThat(JSON.readTree(host.path("cpu_info").asString()).isObject()).isTrue();
        assertThat(host.path("availability_zone").asString()).isEqualTo("zone-a");
        assertThat(host.path("status").isNull()).isTrue();
        assertThat(host.path("trust_id").isNull()).isTrue();
        assertThat(host.path("reservable").booleanValue()).isTrue();
        assertThat(host.path("gpu").asString()).isEqualTo("V100");
        assertThat(host.path("slots").stringValue()).isEqualTo("5");
        assertThat(host.path("ssd").stringValue()).isEqualTo("True");
        assertThat(host.path("load").stringValue()).isEqualTo("1.50");
        assertThat(host.path("created_at").asString()).isEqualTo("2026-11-21 00:33:30");

        assertThat(get("admin", "/v1/os-hosts/1").json()).isEqualTo(answer.json());
        assertThat(get("admin", "/v1/os-hosts").json().at("/hosts/0")).isEqualTo(host);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | 403 | Invalid values for host {}",
                "{\"gpu\": \"V100\"} | 403 | Invalid values for host {}",
                "{\"name\": null} | 403 | Invalid values for host {}",
                "{\"name\": [\"compute-1\"]} | 403 | Invalid values for host {}",
                "{\"name\": \"zzz\"} | 404 | Host 'zzz' not found!",
                "{\"id\": 17} | 404 | Host '17' not found!",
                "{\"name\": \"compute-busy\"} | 409 | Servers ['web', 'db'] found for host"
                        + " compute-busy",
                "{\"name\": \"compute-dark\"} | 503 | the compute service does not answer",
                "{\"name\": \"compute-1\", \"gpu\": null} | 400 | Malformed parameter gpu",
                "{\"name\": \"compute-1\", \"gpu\": [\"V100\"]} | 400 | Malformed parameter gpu",
                "{\"name\": \"compute-1\", \"gpu\": {}} | 400 | Malformed parameter gpu",
                "{\"name\": \"compute-1\", \"gpu\": 1e999999999} | 400 | A number has more than 100"
                        + " digits",
            })
    void an_invalid_enrolment_gets_the_blazar_status_and_message(
            String body, int status, String message) {
        long before = engine.position();
        Answer answer = post("admin", "/v1/os-hosts", body);
        assertThat(answer.message()).isEqualTo(message);
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.header("Retry-After").isEmpty()).isEqualTo(status != 503);
        assertThat(engine.position()).isEqualTo(before);
    }

    @Test
    void a_capability_name_over_64_characters_answers_400() {
        String body = "{\"name\": \"compute-1\", \"%s\": \"x\"}".formatted("k".repeat(65));
        Answer answer = post("admin", "/v1/os-hosts", body);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.message()).isEqualTo("Extra capability key too long");
    }

    @Test
    void a_second_enrolment_of_a_host_answers_409() {
        enrol("compute-1");
        Answer again = post("admin", "/v1/os-hosts", "{\"name\": \"compute-1\"}");
        assertThat(again.status()).isEqualTo(409);
        assertThat(again.message())
                .isEqualTo("Conflict on creating resource provider blazar_compute-1 ");
    }

    @Test
    void a_change_of_a_host_sets_only_capabilities() {
        enrol("compute-1");
        Answer answer =
                put(
                        "admin",
                        "/v1/os-hosts/1",
                        "{\"gpu\": \"A100\", \"vcpus\": 1, \"reservable\": false, \"id\": \"7\"}");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().at("/host/gpu").asString()).isEqualTo("A100");
        assertThat(answer.json().at("/host/vcpus").asInt()).isEqualTo(16);
        assertThat(answer.json().at("/host/reservable").booleanValue()).isTrue();
        assertThat(answer.json().at("/host/id").asString()).isEqualTo("1");
    }

    /** The behaviour of Blazar 2026.2. */
    @Test
    void a_null_value_removes_a_capability_and_ignores_an_unknown_one() {
        post(
                "admin",
                "/v1/os-hosts",
                "{\"name\": \"compute-1\", \"gpu\": \"V100\", \"rack\": \"r1\"}");

        Answer answer =
                put("admin", "/v1/os-hosts/1", "{\"gpu\": null, \"site\": null, \"rack\": \"r2\"}");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().path("host").has("gpu")).isFalse();
        assertThat(answer.json().at("/host/rack").asString()).isEqualTo("r2");
        assertThat(put("admin", "/v1/os-hosts/1", "{\"vcpus\": null}").json().at("/host/vcpus"))
                .isEqualTo(answer.json().at("/host/vcpus"));
    }

    @Test
    void an_empty_change_of_a_host_answers_400_as_in_blazar() {
        enrol("compute-1");
        Answer answer = put("admin", "/v1/os-hosts/1", "{}");
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.message()).isEqualTo("No data to update");
        assertThat(answer.json().path("error_name").asString()).isEqualTo("INTERNAL_SERVER_ERROR");
    }

    @ParameterizedTest
    @ValueSource(strings = {"99", "0", "compute-1", "99999999999999999999", "-1", "1.0"})
    void an_unknown_host_answers_404(String id) {
        for (Answer answer :
                List.of(
                        get("admin", "/v1/os-hosts/" + id),
                        put("admin", "/v1/os-hosts/" + id, "{\"gpu\": \"A100\"}"),
                        delete("admin", "/v1/os-hosts/" + id),
                        get("admin", "/v1/os-hosts/" + id + "/allocation"))) {
            assertThat(answer.status()).isEqualTo(404);
            assertThat(answer.message())
                    .isEqualTo("Object with {'host_id': '" + id + "'} not found");
        }
    }

    @Test
    void rejections_have_the_status_and_message_of_blazar() {
        enrol("compute-1");
        ResourceId id = new ResourceId(1);
        rejected(
                new ResourceRejection.PropertiesReliedOn(id, Set.of("gpu"), List.of()),
                409,
                "Can't add extracapabilities ['gpu'] to Host 1");
        rejected(
                new ResourceRejection.ResourceReserved(id, List.of()),
                409,
                "Can't delete host 1. The host is reserved.");
        rejected(
                new ResourceRejection.ResourceNotFound(id),
                404,
                "Object with {'host_id': '1'} not found");
        rejected(
                new ResourceRejection.WrongState(id, "retired", "change"),
                409,
                "Host 1 is retired: cannot change");
        rejected(
                new ResourceRejection.IdempotencyKeyReused("k"),
                422,
                "The idempotency key k was used for another request");
    }

    private void rejected(ResourceRejection rejection, int status, String message) {
        engine.rejectNext(rejection);
        Answer answer = put("admin", "/v1/os-hosts/1", "{\"gpu\": \"A100\"}");
        assertThat(answer.message()).isEqualTo(message);
        assertThat(answer.status()).isEqualTo(status);
    }

    @Test
    void a_retired_host_answers_404() {
        enrol("compute-1");
        Answer answer = delete("admin", "/v1/os-hosts/1");
        assertThat(answer.status()).isEqualTo(204);
        assertThat(answer.response().body()).isEmpty();
        assertThat(get("admin", "/v1/os-hosts/1").status()).isEqualTo(404);
    }

    @Test
    void plugins_are_listed() {
        assertThat(get("reader", "/v1/plugins").json())
                .isEqualTo(
                        JSON.readTree(
                                "{\"plugins\":"
                                    + " [\"flavor:instance\",\"physical:host\",\"virtual:floatingip\"]}"));
    }
}
