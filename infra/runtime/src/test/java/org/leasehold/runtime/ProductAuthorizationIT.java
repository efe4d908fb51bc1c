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
                        "/api/charges/focus?" + window,
                        "/api/calendar?" + window)) {
            Await.until(path, () -> everyPage(member, path).contains(lease));
            assertThat(everyPage(as("stranger"), path))
                    .as(path)
                    .doesNotContain(lease, "u-member", "\"p1\"");
        }
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
