package org.leasehold.gateway.v1;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.leasehold.gateway.security.Caller;
import org.leasehold.gateway.security.Role;
import org.leasehold.gateway.security.access.AccessPolicy;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;

import java.util.EnumSet;
import java.util.Locale;
import java.util.stream.Stream;

/** Sends requests to every endpoint of this API as every user. */
class V1AuthorizationTest extends V1TestServer {

    static Stream<Arguments> endpoints() {
        return AccessPolicy.standard().rules().stream()
                .filter(rule -> rule.name().startsWith("blazar:"))
                .map(rule -> Arguments.of(rule.method() + " " + rule.path(), rule));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("endpoints")
    void each_role_may_call_exactly_the_endpoints_that_the_policy_allows(
            String endpoint, AccessPolicy.Rule rule) {
        long before = engine.position();
        assertThat(ask("", rule).status()).isEqualTo(401);
        for (Role role : Role.values()) {
            String user = role.toString();
            Answer answer = ask(user, rule);
            if (rule.allows(caller(role))) {
                assertThat(answer.status()).as(user).isNotIn(401, 403).isLessThan(500);
            } else {
                assertThat(answer.status()).as(user).isEqualTo(403);
                assertThat(answer.message())
                        .isEqualTo("Policy doesn't allow " + rule.name() + " to be performed");
                assertThat(answer.json().path("error_name").asInt()).isEqualTo(403);
            }
        }
        // Every path names a missing object, and every body is empty or invalid.
        assertThat(engine.position()).isEqualTo(before);
    }

    @Test
    void authorization_precedes_the_parsing_of_the_body() {
        assertThat(post("reader", "/v1/leases", "no json").status()).isEqualTo(403);
    }

    /** Sends an empty object; {@code POST /v1/os-hosts} gets a name, or it would answer 403. */
    private Answer ask(String user, AccessPolicy.Rule rule) {
        String path =
                rule.path()
                        .getPatternString()
                        .replace("{id}", "4711")
                        .replace("{name}", "no-such-property");
        String body = rule.name().equals("blazar:oshosts:post") ? "{\"name\": \"zzz\"}" : "{}";
        return send(user, rule.method(), path, body);
    }

    private static Caller caller(Role role) {
        return new Caller(
                new UserId("u-" + role.name().toLowerCase(Locale.ROOT)),
                role.toString(),
                new ProjectId("p1"),
                "demo",
                EnumSet.of(role),
                "basic");
    }
}
