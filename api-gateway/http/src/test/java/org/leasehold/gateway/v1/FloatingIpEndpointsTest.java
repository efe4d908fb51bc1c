package org.leasehold.gateway.v1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.gateway.v1.FakeFloatingIpPlugin.NETWORK;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.calendar.Shortage;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.inventory.ResourceRejection;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ReservationId;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

class FloatingIpEndpointsTest extends V1TestServer {

    private static final String FIRST = "666c6f61-7469-8e67-8000-000000000001";

    @Test
    void an_address_is_enrolled_and_shown() {
        Answer created = enrol("192.0.2.7");

        assertThat(created.status()).isEqualTo(201);
        JsonNode ip = created.json().path("floatingip");
        assertThat(ip.propertyNames())
                .containsExactly(
                        "id",
                        "floating_network_id",
                        "subnet_id",
                        "floating_ip_address",
                        "reservable",
                        "created_at",
                        "updated_at");
        assertThat(ip.path("id").asString()).isEqualTo(FIRST);
        assertThat(ip.path("floating_network_id").asString()).isEqualTo(NETWORK);
        assertThat(ip.path("subnet_id").asString()).isEqualTo("subnet-1");
        assertThat(ip.path("floating_ip_address").asString()).isEqualTo("192.0.2.7");
        assertThat(ip.path("reservable").booleanValue()).isTrue();
        assertThat(ip.path("created_at").asString()).isEqualTo("2026-11-21T00:33:30.000000");
        assertThat(ip.path("updated_at").isNull()).isTrue();

        JsonNode shown = get("reader", "/v1/floatingips/" + FIRST).json().path("floatingip");
        assertThat(shown.path("created_at").asString()).isEqualTo("2026-11-21 00:33:30");
        assertThat(shown.path("floating_ip_address").asString()).isEqualTo("192.0.2.7");
        assertThat(get("reader", "/v1/floatingips").json().at("/floatingips/0")).isEqualTo(shown);
        assertThat(get("admin", "/v1/os-hosts").json().path("hosts")).isEmpty();
    }

    @Test
    void an_address_is_shown_in_the_shortest_form() {
        assertThat(enrol("2001:DB8::0:7").json().at("/floatingip/floating_ip_address").asString())
                .isEqualTo("2001:db8::7");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | 400 | Missing parameter floating_network_id",
                "{\"floating_network_id\": \"n\"} | 400 | Missing parameter floating_ip_address",
                "{\"floating_network_id\": 5, \"floating_ip_address\": \"192.0.2.7\"}"
                        + " | 400 | Malformed parameter floating_network_id",
                "{\"floating_network_id\": \"n\", \"floating_ip_address\": \"192.0.2.7\"}"
                        + " | 400 | Failed to find network n",
                "{\"floating_network_id\": \"a b\", \"floating_ip_address\": \"192.0.2.7\"}"
                        + " | 400 | Malformed parameter floating_network_id",
                "{\"floating_network_id\": \"n\", \"floating_ip_address\": \"192.0.2\"}"
                        + " | 400 | IP address 192.0.2 is invalid form.",
            })
    void a_missing_or_invalid_parameter_answers_400(String body, int status, String message) {
        assertRefused(post("admin", "/v1/floatingips", body), status, message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "192.0.2.1 | 400 | 192.0.2.1 is the gateway",
                "192.0.2.2 | 409 | The floating IP 192.0.2.2 is used by ['a router'].",
                "192.0.2.3 | 503 | Neutron does not answer",
                "198.51.100.7 | 404 | Valid subnet for the floating IP 198.51.100.7 is not found.",
            })
    void an_address_that_cannot_be_enrolled_is_rejected_with_a_reason(
            String address, int status, String message) {
        assertRefused(enrol(address), status, message);
    }

    @Test
    void a_second_enrolment_of_an_address_answers_409() {
        engine.rejectNext(
                new ResourceRejection.AlreadyEnrolled(
                        ResourceKind.FLOATING_IP, NETWORK + "/192.0.2.7"));
        assertRefused(enrol("192.0.2.7"), 409, "The floating IP 192.0.2.7 is already registered.");
    }

    @Test
    void a_reserved_address_cannot_be_retired() {
        enrol("192.0.2.7");
        engine.rejectNext(new ResourceRejection.ResourceReserved(new ResourceId(1), List.of()));
        assertRefused(
                delete("admin", "/v1/floatingips/" + FIRST),
                409,
                "Can't delete floating IP %1$s. Floating IP id %1$s is allocated by reservations."
                        .formatted(FIRST));
        assertThat(delete("admin", "/v1/floatingips/" + FIRST).status()).isEqualTo(204);
        assertThat(get("reader", "/v1/floatingips").json().path("floatingips")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1",
                "666c6f61-7469-8e67-8000-000000000002",
                "666c6f61-7469-8e67-8000-000000000000",
                "00000000-0000-0000-0000-000000000001",
                "allocations",
            })
    void an_unknown_floating_ip_id_answers_404(String id) {
        enrol("192.0.2.7");
        assertRefused(
                get("admin", "/v1/floatingips/" + id),
                404,
                "Object with {'floatingip_id': '" + id + "'} not found");
        assertThat(delete("admin", "/v1/floatingips/" + id).status()).isEqualTo(404);
    }

    @Test
    void host_and_floating_ip_endpoints_do_not_show_the_other_kind() {
        post("admin", "/v1/os-hosts", "{\"name\": \"compute-1\"}");
        assertThat(get("admin", "/v1/floatingips/" + FIRST).status()).isEqualTo(404);
        enrol("192.0.2.7");
        assertThat(get("admin", "/v1/os-hosts/2").status()).isEqualTo(404);
    }

    @Test
    void an_update_of_a_floating_ip_answers_405() {
        enrol("192.0.2.7");
        assertThat(put("admin", "/v1/floatingips/" + FIRST, "{}").status()).isEqualTo(405);
    }

    @Test
    void a_member_may_list_floating_ips_but_not_change_them() {
        enrol("192.0.2.7");
        assertThat(get("member", "/v1/floatingips").status()).isEqualTo(200);
        assertThat(post("member", "/v1/floatingips", "{}").status()).isEqualTo(403);
        assertThat(delete("member", "/v1/floatingips/" + FIRST).status()).isEqualTo(403);
    }

    @Test
    void floating_ips_are_listed_in_pages() {
        enrol("192.0.2.7");
        enrol("192.0.2.8");
        Answer first = get("reader", "/v1/floatingips?limit=1");
        assertThat(first.json().at("/floatingips/0/id").asString()).isEqualTo(FIRST);
        assertThat(first.header("Link")).contains("marker=" + FIRST);
        Answer second = get("reader", "/v1/floatingips?limit=1&marker=" + FIRST);
        assertThat(second.json().at("/floatingips/0/floating_ip_address").asString())
                .isEqualTo("192.0.2.8");
        assertThat(second.header("Link")).isEmpty();
        assertThat(get("reader", "/v1/floatingips?marker=1").status()).isEqualTo(400);
    }

    @Test
    void a_floating_ip_reservation_shows_the_requested_parameters() {
        JsonNode reservation =
                post("member", "/v1/leases", lease(2)).json().at("/lease/reservations/0");
        assertThat(reservation.path("resource_type").asString()).isEqualTo("virtual:floatingip");
        assertThat(reservation.path("network_id").asString()).isEqualTo(NETWORK);
        assertThat(reservation.path("amount").intValue()).isEqualTo(2);
        assertThat(reservation.at("/required_floatingips/0").asString()).isEqualTo("192.0.2.7");
    }

    @Test
    void a_shortage_of_floating_ips_answers_400_with_the_blazar_message() {
        Instant nextStart = NOW.plusSeconds(600);
        engine.refuseNext(
                new Shortage(
                        new ReservationId(UUID.randomUUID()),
                        ResourceKind.FLOATING_IP,
                        2,
                        1,
                        1,
                        new LeasePeriod(NOW, nextStart),
                        1,
                        nextStart));
        assertRefused(
                post("member", "/v1/leases", lease(2)), 400, "Not enough floating IPs available");
    }

    private Answer enrol(String address) {
        return post(
                "admin",
                "/v1/floatingips",
                "{\"floating_network_id\": \"%s\", \"floating_ip_address\": \"%s\"}"
                        .formatted(NETWORK, address));
    }

    private static String lease(int amount) {
        return """
        {"name": "addresses", "start_date": "2026-11-22 08:00", "end_date": "2026-11-22 10:00",
         "reservations": [{"resource_type": "virtual:floatingip", "network_id": "%s",
           "amount": "%s", "required_floatingips": ["192.0.2.7"]}]}
        """
                .formatted(NETWORK, amount);
    }

    private static void assertRefused(Answer answer, int status, String message) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
        assertThat(answer.message()).isEqualTo(message);
    }
}
