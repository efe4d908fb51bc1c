package org.leasehold.gateway.v1;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.leasehold.gateway.security.Caller;
import org.leasehold.gateway.security.Policy;
import org.leasehold.gateway.security.Role;
import org.leasehold.lease.ProjectId;
import org.leasehold.lease.UserId;

import java.util.EnumSet;
import java.util.Locale;
import java.util.stream.Stream;

/** Sends requests to every endpoint of this API as every user. */
class AccessTest extends V1Server {

    static Stream<Arguments> endpoints() {
        return Policy.standard().rules().stream()
                .filter(rule -> rule.name().startsWith("blazar:"))
                .map(rule -> Arguments.of(rule.method() + " " + rule.path(), rule));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("endpoints")
    void every_role_gets_what_the_policy_says_and_nobody_gets_anything(
            String endpoint, Policy.Rule rule) {
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
    void a_denied_body_is_not_even_looked_at() {
        assertThat(post("reader", "/v1/leases", "no json").status()).isEqualTo(403);
    }

    /** Sends an empty object; {@code POST /v1/os-hosts} gets a name, or it would answer 403. */
    private Answer ask(String user, Policy.Rule rule) {
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
                new ProjectId("p1"),
                "demo",
                EnumSet.of(role),
                "basic");
    }
}
