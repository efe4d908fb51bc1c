package org.leasehold.gateway.api.calendar;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.gateway.api.ApiClient;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.ApiTest;
import org.leasehold.gateway.api.ApiTestServer;
import org.leasehold.gateway.api.FakeLabels;
import org.leasehold.gateway.api.InMemoryApi;
import org.leasehold.gateway.v1.InMemoryEngine;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.calendar.BookingCalendar.Booking;
import org.leasehold.readmodel.calendar.BookingCalendar.Filter;
import org.leasehold.readmodel.calendar.BookingCalendar.ListBookings;
import org.leasehold.readmodel.calendar.BookingCalendar.Taken;
import org.leasehold.readmodel.label.Labels.LeaseLabel;
import org.leasehold.readmodel.label.Labels.ResourceLabel;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.UserId;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

@ApiTest
class CalendarRoutesTest {

    private static final Instant FROM = Instant.parse("2026-11-01T00:00:00Z");
    private static final Instant TO = Instant.parse("2026-12-01T00:00:00Z");
    private static final String WINDOW = "from=" + FROM + "&to=" + TO;
    private static final LeaseId LEASE = new LeaseId(UUID.randomUUID());

    @Autowired InMemoryEngine engine;
    @Autowired FakeCalendar bookings;
    @Autowired FakeLabels labels;
    @LocalServerPort int port;

    private ApiClient client;

    @BeforeEach
    void connect() {
        client = new ApiClient(new InMemoryApi(port, engine));
        labels.clear();
    }

    @AfterEach
    void forget() {
        bookings.clear();
        labels.clear();
    }

    @Test
    void a_booking_of_another_project_shows_only_the_resource_and_the_period() {
        bookings.add(
                new Booking(
                        new ResourceId(7),
                        FROM,
                        TO,
                        ResourceKind.PHYSICAL_HOST,
                        new ProjectId("astronomy"),
                        LEASE,
                        new ReservationId(LEASE.value()),
                        2));
        bookings.add(new Taken(new ResourceId(8), FROM, TO));

        Answer first =
                client.get("member", "/api/calendar?" + WINDOW + "&limit=1&kind=physical:host");

        JsonNode own = first.json().at("/bookings/0");
        assertThat(own.toString())
                .isEqualTo(
                        """
                        {"resource_id":7,"resource":7,"start":"%1$s","starts":"%1$s",\
                        "end":"%2$s","ends":"%2$s","kind":"physical:host",\
                        "project_id":"astronomy","project":"astronomy",\
                        "lease_id":"%3$s","lease":"%3$s",\
                        "reservation_id":"%3$s","reservation":"%3$s","slots":2}\
                        """
                                .formatted(FROM, TO, LEASE));
        String link = first.header("Link");
        assertThat(link).startsWith("</api/calendar?").endsWith(">; rel=\"next\"");
        Answer second = client.get("member", link.substring(1, link.indexOf('>')));
        assertThat(second.json().at("/bookings/0").toString())
                .isEqualTo(
                        """
                        {"resource_id":8,"resource":8,"start":"%1$s","starts":"%1$s",\
                        "end":"%2$s","ends":"%2$s","taken":true}\
                        """
                                .formatted(FROM, TO));
        assertThat(second.json().path("next").isNull()).isTrue();
        assertThat(bookings.lastQuestion().from()).isEqualTo(FROM);
        assertThat(bookings.lastQuestion().to()).isEqualTo(TO);
        assertThat(bookings.lastQuestion().filter().kind()).isEqualTo(ResourceKind.PHYSICAL_HOST);
    }

    @Test
    void names_are_only_in_bookings_that_the_caller_may_see() {
        labels.add(
                LEASE,
                new LeaseLabel(
                        "nightly",
                        new ProjectId("astronomy"),
                        new UserId("ada"),
                        Map.of(new ReservationId(LEASE.value()), ResourceKind.STACK)));
        labels.add(new ResourceId(7), new ResourceLabel("compute-7", "east"));
        labels.add(new ResourceId(8), new ResourceLabel("compute-8", "east"));
        bookings.add(new Taken(new ResourceId(8), FROM, TO));
        bookings.add(
                new Booking(
                        new ResourceId(7),
                        FROM,
                        TO,
                        ResourceKind.PHYSICAL_HOST,
                        new ProjectId("astronomy"),
                        LEASE,
                        new ReservationId(LEASE.value()),
                        2));

        Answer taken = client.get("member", "/api/calendar?" + WINDOW);
        Answer own =
                client.get(
                        "member",
                        "/api/calendar?"
                                + WINDOW
                                + "&marker="
                                + taken.json().path("next").asString());

        assertThat(taken.json().at("/bookings/0").propertyNames())
                .containsExactlyInAnyOrder(
                        "resource_id", "resource", "start", "starts", "end", "ends", "taken");
        JsonNode line = own.json().at("/bookings/0");
        assertThat(line.path("lease_name").asString()).isEqualTo("nightly");
        assertThat(line.path("reservation_kind").asString()).isEqualTo("virtual:stack");
        assertThat(line.path("resource_name").asString()).isEqualTo("compute-7");
        assertThat(line.path("resource_zone").asString()).isEqualTo("east");
        assertThat(labels.questions())
                .as("one query a page")
                .containsExactly(Set.of(), Set.of(LEASE));
    }

    @Test
    void a_long_read_without_a_connection_answers_503_with_retry_after() {
        bookings.othersRead(true);
        try {
            Answer busy = client.get("member", "/api/calendar?" + WINDOW);

            assertThat(busy.status()).isEqualTo(503);
            assertThat(busy.header("Retry-After")).isEqualTo("5");
            assertThat(busy.json().path("detail").asString()).contains("long reads");
        } finally {
            bookings.othersRead(false);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"reader", "member"})
    void a_query_by_a_project_user_passes_the_project_on(String user) {
        client.get(user, "/api/calendar?" + WINDOW);

        assertThat(bookings.lastQuestion().asker()).isEqualTo(new ProjectId("p1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"planner", "auditor", "admin"})
    void a_query_by_a_role_for_all_projects_passes_no_project_on(String user) {
        client.get(user, "/api/calendar?" + WINDOW);

        assertThat(bookings.lastQuestion().asker()).isNull();
    }

    @Test
    void the_query_is_passed_on_unchanged() {
        client.get(
                "planner",
                "/api/calendar?resource=7&project=biology&lease=%s&kind=physical:host&limit=5&%s"
                        .formatted(LEASE, WINDOW));

        assertThat(bookings.lastQuestion())
                .isEqualTo(
                        new ListBookings(
                                null,
                                new Filter(
                                        new ResourceId(7),
                                        new ProjectId("biology"),
                                        LEASE,
                                        ResourceKind.PHYSICAL_HOST),
                                FROM,
                                TO,
                                null,
                                null,
                                5));
    }

    @Test
    void the_default_window_is_the_next_thirty_days() {
        client.get("planner", "/api/calendar");

        assertThat(bookings.lastQuestion().from()).isEqualTo(ApiTestServer.NOW);
        assertThat(bookings.lastQuestion().to())
                .isEqualTo(ApiTestServer.NOW.plus(Duration.ofDays(30)));
    }

    @Test
    void the_default_window_ends_at_the_latest_with_the_last_instant() {
        Answer answer = client.get("planner", "/api/calendar?from=9999-12-31T00:00:00Z");

        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        assertThat(bookings.lastQuestion().to()).isEqualTo(Instant.parse("9999-12-31T23:59:59Z"));
    }

    @Test
    void a_query_as_of_an_instant_uses_the_position_of_the_response() {
        Answer answer = client.get("planner", "/api/calendar?as_of=" + ApiTestServer.NOW);

        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        assertThat(bookings.lastQuestion().asOf()).isEqualTo(answer.position());
    }

    @ParameterizedTest
    @CsvSource({
        "as_of=2099-01-01T00:00:00Z, as_of",
        "as_of=2026-11-01, as_of",
        "from=2026-11-02T00:00:00Z&to=2026-11-02T00:00:00Z, to",
        "from=2026-11-02T00:00:00Z&to=2026-11-01T00:00:00Z, to",
        "from=2025-01-01T00:00:00Z&to=2026-01-02T00:00:01Z, to",
        "from=yesterday, from",
        "marker=x, marker",
        "kind=physical:pumpkin, kind",
        "resource=0, resource",
        "lease=me, lease",
        "limit=1001, limit",
        "colour=red, colour"
    })
    void an_invalid_parameter_is_rejected_with_the_field_name(String query, String field) {
        Answer refused = client.get("member", "/api/calendar?" + query);

        assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
        assertThat(refused.names(field)).as(refused.toString()).isTrue();
    }

    @Test
    void a_project_id_of_256_characters_is_rejected() {
        Answer refused = client.get("member", "/api/calendar?project=" + "x".repeat(256));

        assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
        assertThat(refused.names("project")).as(refused.toString()).isTrue();
    }
}
