package org.leasehold.gateway.api.lease;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.ApiTest;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseCommand.ChangeLease;
import org.leasehold.lease.LeaseCommand.CreateLease;
import org.leasehold.lease.LeaseCommand.EndLease;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.vocabulary.ReservationId;

import tools.jackson.databind.JsonNode;

import java.net.http.HttpRequest.BodyPublishers;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

/** Tests changes of leases, with their preconditions. */
@ApiTest
class ChangedLeasesTest extends ApiLeasesFixture {

    @Test
    void a_change_with_a_stale_etag_answers_412() {
        String lease = create().header("Location");
        assertThat(patch(lease, "\"1\"", "{\"name\": \"b\"}").status()).isEqualTo(200);
        Answer late = patch(lease, "\"1\"", "{\"name\": \"c\"}");
        assertThat(late.status()).isEqualTo(412);
        assertThat(late.isProblem()).isTrue();
        assertThat(late.json().path("detail").asString()).contains("its version is 2");
        assertThat(client.get("member", lease).json().path("name").asString()).isEqualTo("b");
        assertThat(patch(lease, "*", "{\"name\": \"d\"}").header("ETag")).isEqualTo("\"3\"");
    }

    @Test
    void an_if_match_header_without_the_current_tag_answers_412() {
        String lease = create().header("Location");
        for (String tag : List.of("1", "W/\"1\"", "\"one\"", "\"\"", "", "\"2\", \"3\"")) {
            assertThat(patch(lease, tag, "{\"name\": \"b\"}").status()).as(tag).isEqualTo(412);
        }
        assertThat(patch(lease, "\"9\", \"1\"", "{\"name\": \"b\"}").status()).isEqualTo(200);
    }

    private Answer patch(String lease, String tag, String body) {
        return client.send(
                client.request("member", lease)
                        .header("Content-Type", "application/json")
                        .header("If-Match", tag)
                        .method("PATCH", BodyPublishers.ofString(body)));
    }

    @Test
    void a_patch_command_contains_only_the_changed_fields() {
        String lease = create().header("Location");
        client.send("member", "PATCH", lease, "{\"end\": \"2026-11-22T12:00:00Z\"}");
        ChangeLease change = (ChangeLease) engine.lastCommand();
        assertThat(change.end()).isEqualTo(Instant.parse("2026-11-22T12:00:00Z"));
        assertThat(change.name()).isNull();
        assertThat(change.start()).isNull();
        assertThat(change.beforeEnd()).isNull();
        assertThat(change.reservations()).isEmpty();
    }

    @Test
    void a_patch_changes_and_adds_reservations() {
        String lease = create().header("Location");
        String id = client.get("member", lease).json().at("/reservations/0/id").asString();
        Answer changed =
                client.send(
                        "member",
                        "PATCH",
                        lease,
                        """
                        {"reservations": [{"id": "%s", "parameters": {"max": 2}}],
                         "further": [{"kind": "physical:host", "parameters": {"min": 3, "max": 4,
                           "hypervisor_properties": "", "resource_properties": ""}}]}
                        """
                                .formatted(id));
        assertThat(changed.status()).isEqualTo(200);
        ChangeLease change = (ChangeLease) engine.lastCommand();
        assertThat(change.reservations())
                .extracting(each -> each.id().toString())
                .containsExactly(id);
        assertThat(change.further())
                .singleElement()
                .satisfies(
                        wish -> {
                            assertThat(wish.kind()).isEqualTo(ResourceKind.PHYSICAL_HOST);
                            assertThat(wish.parameters()).containsEntry("min", 3);
                            assertThat(wish.id().toString()).isNotEqualTo(id);
                        });
        assertThat(changed.json().path("reservations").size()).isEqualTo(2);
    }

    @Test
    void a_patch_removes_and_adds_reservations_in_one_command() {
        String lease = create().header("Location");
        String id = client.get("member", lease).json().at("/reservations/0/id").asString();
        client.send(
                "member",
                "PATCH",
                lease,
                """
                {"remove": ["%s"],
                 "further": [{"kind": "physical:host", "parameters": {"min": 3, "max": 4,
                   "hypervisor_properties": "", "resource_properties": ""}}]}
                """
                        .formatted(id));
        ChangeLease change = (ChangeLease) engine.lastCommand();
        assertThat(change.removed()).extracting(Object::toString).containsExactly(id);
        assertThat(change.further()).hasSize(1);
    }

    @Test
    void a_rejected_removal_names_the_field() {
        String lease = create().header("Location");
        ReservationId id = new ReservationId(new UUID(7, 7));
        for (LeaseRejection rejection :
                List.of(
                        new LeaseRejection.LastReservation(id),
                        new LeaseRejection.ReservationNeeded(id, id))) {
            engine.rejectNext(rejection);
            Answer answer =
                    client.send("member", "PATCH", lease, "{\"remove\": [\"%s\"]}".formatted(id));
            assertThat(answer.status()).as(rejection.toString()).isBetween(400, 409);
            assertThat(answer.names("remove")).as(answer.toString()).isTrue();
        }
        for (String unknown : List.of("x", id.toString())) {
            Answer answer =
                    client.send(
                            "member", "PATCH", lease, "{\"remove\": [\"%s\"]}".formatted(unknown));
            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.names("remove[0]")).as(answer.toString()).isTrue();
        }
    }

    @Test
    void a_patch_cannot_change_a_reservation_that_it_removes() {
        String lease = create().header("Location");
        String id = client.get("member", lease).json().at("/reservations/0/id").asString();
        Answer answer =
                client.send(
                        "member",
                        "PATCH",
                        lease,
                        """
                        {"remove": ["%1$s"],
                         "reservations": [{"id": "%1$s", "parameters": {"max": 5}}]}
                        """
                                .formatted(id));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
        assertThat(answer.names("remove[0]")).as(answer.toString()).isTrue();
        assertThat(answer.toString()).contains("is changed in the same request");
    }

    @Test
    void a_patch_accepts_a_reservation_id_in_upper_case() {
        JsonNode lease = create().json();
        String id = lease.at("/reservations/0/id").asString();
        Answer changed =
                client.send(
                        "member",
                        "PATCH",
                        "/api/leases/" + lease.path("id").asString(),
                        "{\"reservations\": [{\"id\": \"%s\", \"parameters\": {\"max\": 5}}]}"
                                .formatted(id.toUpperCase(Locale.ROOT)));
        assertThat(changed.status()).as(changed.toString()).isEqualTo(200);
        assertThat(changed.json().at("/reservations/0/id").asString()).isEqualTo(id);
    }

    @Test
    void an_invalid_added_reservation_is_rejected_with_the_field_name() {
        String lease = create().header("Location");
        for (Map.Entry<String, String> wrong :
                Map.of(
                                "{}", "further[0].kind",
                                "{\"kind\": \"unheard:of\"}", "further[0].kind",
                                "{\"kind\": \"physical:host\", \"parameters\": {\"min\": \"x\"}}",
                                        "further[0].parameters.min")
                        .entrySet()) {
            Answer answer =
                    client.send(
                            "member",
                            "PATCH",
                            lease,
                            "{\"further\": [%s]}".formatted(wrong.getKey()));
            assertThat(answer.status()).as(wrong.getKey()).isEqualTo(400);
            assertThat(answer.names(wrong.getValue())).as(wrong.getKey()).isTrue();
        }
        assertThat(engine.lastCommand()).isInstanceOf(CreateLease.class);
    }

    @Test
    void an_empty_change_answers_400() {
        String lease = create().header("Location");
        assertThat(client.send("member", "PATCH", lease, "{}").status()).isEqualTo(400);
    }

    @Test
    void the_end_route_ends_a_lease_with_the_given_reason() {
        String lease = create().header("Location");
        Answer ended =
                client.send(
                        client.request("member", lease + "/end")
                                .header("Leasehold-Reason", "done early")
                                .POST(BodyPublishers.noBody()));
        assertThat(ended.json().path("status").asString()).isEqualTo("ended");
        assertThat(engine.lastCommand()).isInstanceOf(EndLease.class);
        assertThat(engine.lastContext().reason()).isEqualTo("done early");
    }
}
