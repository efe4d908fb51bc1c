package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.leasehold.gateway.api.ApiUnderTest;
import org.leasehold.gateway.api.AuthorisationContract;
import org.leasehold.runtime.Client.Answer;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.TestPropertySource;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

@SpringBootTest(
        classes = Leasehold.class,
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
@TestPropertySource(locations = WholeApi.USERS, properties = WholeApi.PLANS)
@ContextConfiguration(initializers = OwnFolder.class)
@Import(WholeApi.class)
@ResourceLock(WholeApi.SHARED)
class WholeAuthorisationIT extends AuthorisationContract {

    @Autowired WholeApi api;

    /** Of what the member has, and has had, the stranger is told nothing, wherever they look. */
    @Test
    void what_another_project_has_had_is_in_no_account_of_ones_own() {
        Instant now = api.now();
        Client member = as("member");
        String lease =
                member.post("/api/leases", Tenant.timed(now, now.plus(Duration.ofHours(1)), ""))
                        .expect(201)
                        .path("id")
                        .asString();
        String window =
                "from=%s&to=%s".formatted(now.minusSeconds(1), now.plus(Duration.ofHours(1)));
        for (String path :
                List.of(
                        "/api/usage?by=lease&" + window,
                        "/api/charges?limit=1000&" + window,
                        "/api/charges/focus?" + window,
                        "/api/calendar?limit=1000&" + window)) {
            Await.until(path, () -> member.get(path).text().contains(lease));
            Answer strangers = as("stranger").get(path);
            assertThat(strangers.status()).as(path).isEqualTo(200);
            assertThat(strangers.text()).as(path).doesNotContain(lease, "u-member", "\"p1\"");
        }
    }

    private Client as(String user) {
        return new Client(api.address().toString(), user, user);
    }

    @Override
    protected ApiUnderTest api() {
        return api;
    }
}
