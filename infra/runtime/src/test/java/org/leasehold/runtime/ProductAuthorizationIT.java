package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.leasehold.gateway.api.ApiUnderTest;
import org.leasehold.gateway.api.AuthorizationContract;
import org.leasehold.runtime.Client.Answer;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.TestPropertySource;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

@SpringBootTest(
        classes = Leasehold.class,
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
@TestPropertySource(locations = ProductApi.USERS, properties = ProductApi.PLANS)
@ContextConfiguration(initializers = IsolatedEngineInitializer.class)
@Import(ProductApi.class)
@ExtendWith(SharedProductStop.class)
@ResourceLock(ProductApi.SHARED)
@Order(7)
class ProductAuthorizationIT extends AuthorizationContract {

    private static final String ALLOCATION = "/leases/0/reservations/0/allocations/0/id";

    private static final Pattern NEXT = Pattern.compile("<(.*)>; rel=\"next\"");

    @Autowired ProductApi api;

    /** Checks all accounts: the stranger sees nothing of the member's present and past leases. */
    @Test
    void usage_charges_and_calendar_omit_leases_of_other_projects() {
        Instant now = api.now();
        Client member = as("member");
        String lease =
                member.post("/api/leases", DemoProject.until(now.plus(Duration.ofHours(1)), ""))
                        .expect(201)
                        .path("id")
                        .asString();
        String window =
                "from=%s&to=%s".formatted(now.minusSeconds(1), now.plus(Duration.ofHours(1)));
        for (String path :
                List.of(
                        "/api/usage?by=lease&" + window,
                        "/api/charges?" + window,
                        "/api/charges?by=lease&" + window,
                        "/api/charges/focus?" + window,
                        "/api/calendar?" + window)) {
            Await.until(path, () -> everyPage(member, path).contains(lease));
            assertThat(everyPage(as("stranger"), path))
                    .as(path)
                    .doesNotContain(lease, "u-member", "\"p1\"");
        }
    }

    @Test
    void a_planner_lists_the_leases_of_a_project_in_a_month_by_one_request() {
        Instant start = api.now().plus(Duration.ofDays(200)).truncatedTo(ChronoUnit.DAYS);
        Instant end = start.plus(Duration.ofDays(30));
        Client member = as("member");
        Duration hour = Duration.ofHours(1);
        // Hours apart, so that one host is enough for them.
        lease(member, start.minus(hour), start);
        String first =
                lease(member, start.plus(hour.multipliedBy(3)), start.plus(Duration.ofDays(1)));
        String second =
                lease(member, start.plus(Duration.ofDays(2)), start.plus(Duration.ofDays(3)));
        String last = lease(member, end.minus(hour), end.plus(hour));
        lease(member, end.plus(hour.multipliedBy(3)), end.plus(hour.multipliedBy(4)));
        lease(as("stranger"), start.plus(Duration.ofDays(5)), start.plus(Duration.ofDays(6)));
        String month =
                "/api/leases?project=p1&start_before=%s&end_after=%s&order=start&limit=1000"
                        .formatted(end, start);

        Answer found = as("planner").get(month);

        assertThat(ids(found)).containsExactly(first, second, last);
        assertThat(found.body().path("next").isNull()).isTrue();
        assertThat(ids(as("member").get(month))).containsExactly(first, second, last);
        assertThat(ids(as("stranger").get(month))).isEmpty();
        String host = as("planner").get(month).body().at(ALLOCATION).asString();
        long position = api.lastPosition();
        assertThat(ids(as("planner").getAt(month + "&resource=" + host, position))).contains(first);
    }

    private static String lease(Client client, Instant start, Instant end) {
        return client.post("/api/leases", DemoProject.timed(start, end, ""))
                .expect(201)
                .path("id")
                .asString();
    }

    private static List<String> ids(Answer page) {
        return page.expect(200)
                .path("leases")
                .valueStream()
                .map(lease -> lease.path("id").asString())
                .toList();
    }

    /** Returns all pages: other tests of this product left more leases than a page has. */
    private static String everyPage(Client client, String path) {
        var pages = new StringBuilder();
        String next = path;
        while (next != null) {
            Answer page = client.get(next);
            assertThat(page.status()).as(next).isEqualTo(200);
            pages.append(page.text());
            Matcher link = NEXT.matcher(page.headers().firstValue("Link").orElse(""));
            next = link.matches() ? link.group(1) : null;
        }
        return pages.toString();
    }

    private Client as(String user) {
        return new Client(api.address().toString(), user, user);
    }

    @Override
    protected ApiUnderTest api() {
        return api;
    }
}
