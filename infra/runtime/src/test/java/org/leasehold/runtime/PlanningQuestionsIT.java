package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.TestPropertySource;

import tools.jackson.databind.JsonNode;

import java.math.BigDecimal;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Tests that each question of planners and billers is one request. */
@SpringBootTest(
        classes = Leasehold.class,
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
@TestPropertySource(
        locations = ProductApi.USERS,
        properties = {
            ProductApi.PLANS,
            "leasehold.saga.sampling=1s",
            // The folder that is locked before the initializer sets another one: a second context
            // in this process has its own.
            "leasehold.database.folder=target/planning-questions"
        })
@ContextConfiguration(initializers = IsolatedEngineInitializer.class)
@Import(ProductApi.class)
@DirtiesContext
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Order(8)
class PlanningQuestionsIT {

    private static final String GPU = "[\"==\", \"$gpu\", \"V100\"]";

    @Autowired ProductApi api;

    private final Map<String, Integer> requests = new HashMap<>();
    private final Map<String, String> leases = new TreeMap<>();
    private Instant from = Instant.EPOCH;

    @BeforeAll
    void lease_hosts_with_gpus_to_two_projects() {
        from = api.now().minusSeconds(1);
        Client admin = as("admin");
        List<JsonNode> hosts =
                admin.get("/api/resources?kind=physical:host")
                        .expect(200)
                        .path("resources")
                        .valueStream()
                        .toList();
        for (JsonNode host : hosts.subList(0, 3)) {
            admin.patch(
                            "/api/resources/" + host.path("id").asLong(),
                            Map.of("set", Map.of("gpu", "V100")))
                    .expect(200);
        }
        book("member", "nightly", GPU);
        book("stranger", "training", GPU);
        book("stranger", "plain", "");
        Await.until(
                "each lease is observed to run nothing",
                () ->
                        admin.get("/api/usage?by=lease" + window(from))
                                        .expect(200)
                                        .path("usage")
                                        .valueStream()
                                        .filter(
                                                line ->
                                                        line.path("idle").decimalValue().signum()
                                                                > 0)
                                        .count()
                                == leases.size());
        Await.until(
                "the capacity has followed",
                () ->
                        admin.get("/api/usage?by=gpu&kind=physical:host" + window(from))
                                .expect(200)
                                .path("usage")
                                .valueStream()
                                .anyMatch(line -> line.path("value").asString("").equals("V100")));
    }

    /** Returns the parameters of a window. Without an end, it would end with the month. */
    private String window(Instant start) {
        return "&from=%s&to=%s".formatted(start, api.now().plus(Duration.ofDays(1)));
    }

    private void book(String user, String name, String requirement) {
        JsonNode lease = as(user).post("/api/leases", lease(name, 1, requirement)).expect(201);
        leases.put(name, lease.path("id").asString());
    }

    private Map<String, Object> lease(String name, int hosts, String requirement) {
        Map<String, Object> parameters =
                Map.of(
                        "min", hosts,
                        "max", hosts,
                        "hypervisor_properties", "",
                        "resource_properties", requirement);
        return Map.of(
                "name",
                name,
                "end",
                api.now().plus(Duration.ofHours(3)).toString(),
                "reservations",
                List.of(Map.of("kind", "physical:host", "parameters", parameters)));
    }

    private Client as(String user) {
        return new Client(api.address().toString(), user, user);
    }

    /** Asks a question, and counts the request. */
    private JsonNode ask(String user, String path) {
        requests.merge(user, 1, Integer::sum);
        return as(user).get(path).expect(200);
    }

    private void assertAsked(String user, int times) {
        assertThat(requests.remove(user)).as("requests of the %s", user).isEqualTo(times);
    }

    @Test
    void a_planner_sees_which_projects_hold_gpus_in_one_request() {
        JsonNode usage =
                ask(
                        "planner",
                        "/api/usage?by=project,gpu&kind=physical:host"
                                + window(from)
                                + "&requirement="
                                + URLEncoder.encode(GPU, StandardCharsets.UTF_8));

        assertAsked("planner", 1);
        assertThat(usage.path("usage").valueStream().map(line -> line.path("values").toString()))
                .contains("[\"p1\",\"V100\"]", "[\"p2\",\"V100\"]")
                .allMatch(values -> values.contains("\"V100\""));
    }

    @Test
    void a_biller_sees_the_cost_of_a_project_by_lease_in_one_request() {
        Instant to = api.now();
        String window = "&from=%s&to=%s".formatted(from, to);

        JsonNode costs = ask("biller", "/api/charges?project=p2&by=lease" + window);

        assertAsked("biller", 1);
        Map<String, BigDecimal> byLease = new TreeMap<>();
        costs.path("leases")
                .forEach(
                        lease ->
                                byLease.put(
                                        lease.path("lease_name").asString(),
                                        new BigDecimal(lease.at("/totals/0/amount").asString())));
        assertThat(byLease).containsOnlyKeys("plain", "training");
        BigDecimal sum = byLease.values().stream().reduce(BigDecimal.ZERO, BigDecimal::add);
        assertThat(new BigDecimal(costs.at("/totals/0/amount").asString())).isEqualTo(sum);
        BigDecimal lines =
                as("biller")
                        .get("/api/charges?project=p2" + window)
                        .expect(200)
                        .path("leases")
                        .valueStream()
                        .flatMap(lease -> lease.path("lines").valueStream())
                        .map(line -> new BigDecimal(line.path("amount").asString()))
                        .reduce(BigDecimal.ZERO, BigDecimal::add);
        assertThat(lines).isEqualTo(sum);
        assertThat(
                        as("biller")
                                .get("/api/charges?by=project" + window)
                                .expect(200)
                                .path("projects")
                                .valueStream()
                                .map(project -> project.path("project_id").asString()))
                .containsExactly("p1", "p2");
    }

    @Test
    void a_planner_sees_active_leases_that_run_nothing_in_one_request() {
        JsonNode idle = ask("planner", "/api/usage/idle?active=true" + window(from));

        assertAsked("planner", 1);
        assertThat(
                        idle.path("leases")
                                .valueStream()
                                .map(
                                        lease ->
                                                "%s %s %s"
                                                        .formatted(
                                                                lease.path("lease_name").asString(),
                                                                lease.path("project_id").asString(),
                                                                lease.path("user_id").asString())))
                .containsExactlyInAnyOrder(
                        "nightly p1 u-member", "training p2 u-stranger", "plain p2 u-stranger");
        assertThat(idle.at("/leases/0/active").asBoolean()).isTrue();
        assertThat(Instant.parse(idle.at("/leases/0/since").asString())).isAfter(from);
    }

    @Test
    void a_member_sees_why_and_how_often_the_project_was_refused_in_one_request() {
        // The database stores refusals with its own clock, not with the product's.
        Instant since = Instant.now().minus(Duration.ofHours(1));
        for (int times = 0; times < 2; times++) {
            as("member").post("/api/leases", lease("too many", 50, GPU)).expect(409);
        }
        Await.until(
                "the refusals are listed",
                () ->
                        as("admin")
                                        .get("/api/refusals?project=p1" + window(since))
                                        .expect(200)
                                        .path("refusals")
                                        .size()
                                == 2);

        JsonNode own = ask("member", "/api/refusals?" + window(since));
        JsonNode others = ask("stranger", "/api/refusals?" + window(since));

        assertAsked("member", 1);
        assertAsked("stranger", 1);
        assertThat(own.at("/refusals/0/lease_name").asString()).isEqualTo("too many");
        assertThat(own.at("/refusals/0/shortages/0/matching").asInt()).isEqualTo(3);
        assertThat(own.path("counts").toString())
                .isEqualTo(
                        """
                        [{"kind":"physical:host","reason":"not_enough_matching","refusals":2}]\
                        """);
        assertThat(others.path("refusals")).isEmpty();
        assertThat(others.path("counts")).isEmpty();
    }

    @Test
    void the_calendar_names_bookings_to_planners_and_not_to_strangers() {
        String path = "/api/calendar?kind=physical:host";
        JsonNode all = ask("planner", path);
        String others = ask("stranger", path).toString();

        assertAsked("planner", 1);
        assertAsked("stranger", 1);
        assertThat(
                        all.path("bookings")
                                .valueStream()
                                .map(line -> line.path("lease_name").asString("")))
                .contains("nightly", "training", "plain");
        assertThat(all.at("/bookings/0/resource_name").asString()).startsWith("compute-");
        assertThat(all.at("/bookings/0/reservation_kind").asString()).isEqualTo("physical:host");
        assertThat(others).contains("training", "plain", "taken").doesNotContain("nightly");
        assertThat(as("stranger").get("/api/usage?by=lease" + window(from)).text())
                .contains("training")
                .doesNotContain("nightly");
    }
}
