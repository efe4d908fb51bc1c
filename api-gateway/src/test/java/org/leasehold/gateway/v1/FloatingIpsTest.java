package org.leasehold.gateway.v1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.gateway.v1.FloatingIpsOnPaper.NETWORK;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.calendar.Shortage;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.inventory.ResourceRejection;
import org.leasehold.lease.LeasePeriod;
import org.leasehold.lease.ReservationId;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

class FloatingIpsTest extends V1Server {

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
    void an_address_is_kept_in_its_shortest_form() {
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
    void what_is_missing_or_makes_no_sense_is_refused(String body, int status, String message) {
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
    void what_cannot_be_enrolled_is_refused(String address, int status, String message) {
        assertRefused(enrol(address), status, message);
    }

    @Test
    void an_address_is_enrolled_once() {
        engine.rejectNext(
                new ResourceRejection.AlreadyEnrolled(
                        ResourceKind.FLOATING_IP, NETWORK + "/192.0.2.7"));
        assertRefused(enrol("192.0.2.7"), 409, "The floating IP 192.0.2.7 is already registered.");
    }

    @Test
    void what_reservations_count_on_is_not_retired() {
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
    void no_other_id_names_a_floating_ip(String id) {
        enrol("192.0.2.7");
        assertRefused(
                get("admin", "/v1/floatingips/" + id),
                404,
                "Object with {'floatingip_id': '" + id + "'} not found");
        assertThat(delete("admin", "/v1/floatingips/" + id).status()).isEqualTo(404);
    }

    @Test
    void a_host_is_no_floating_ip() {
        post("admin", "/v1/os-hosts", "{\"name\": \"compute-1\"}");
        assertThat(get("admin", "/v1/floatingips/" + FIRST).status()).isEqualTo(404);
        enrol("192.0.2.7");
        assertThat(get("admin", "/v1/os-hosts/2").status()).isEqualTo(404);
    }

    @Test
    void nothing_about_a_floating_ip_can_be_changed() {
        enrol("192.0.2.7");
        assertThat(put("admin", "/v1/floatingips/" + FIRST, "{}").status()).isEqualTo(405);
    }

    @Test
    void readers_look_and_only_administrators_change() {
        enrol("192.0.2.7");
        assertThat(get("member", "/v1/floatingips").status()).isEqualTo(200);
        assertThat(post("member", "/v1/floatingips", "{}").status()).isEqualTo(403);
        assertThat(delete("member", "/v1/floatingips/" + FIRST).status()).isEqualTo(403);
    }

    @Test
    void a_list_comes_page_by_page() {
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
    void a_lease_of_floating_ips_shows_what_it_asked_for() {
        JsonNode reservation =
                post("member", "/v1/leases", lease(2)).json().at("/lease/reservations/0");
        assertThat(reservation.path("resource_type").asString()).isEqualTo("virtual:floatingip");
        assertThat(reservation.path("network_id").asString()).isEqualTo(NETWORK);
        assertThat(reservation.path("amount").intValue()).isEqualTo(2);
        assertThat(reservation.at("/required_floatingips/0").asString()).isEqualTo("192.0.2.7");
    }

    @Test
    void a_shortage_is_a_bad_request_in_the_ancestors_words() {
        Instant soon = NOW.plusSeconds(600);
        engine.refuseNext(
                new Shortage(
                        new ReservationId(UUID.randomUUID()),
                        ResourceKind.FLOATING_IP,
                        2,
                        1,
                        1,
                        new LeasePeriod(NOW, soon),
                        1,
                        soon));
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
