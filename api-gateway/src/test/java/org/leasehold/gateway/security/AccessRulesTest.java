package org.leasehold.gateway.security;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.leasehold.lease.UserId;
import org.leasehold.resource.identity.Identity;
import org.leasehold.resource.identity.Identity.AccessRule;
import org.springframework.mock.web.MockHttpServletRequest;

import java.time.Instant;
import java.util.List;
import java.util.Set;

class AccessRulesTest {

    @Test
    void whoever_has_no_rules_may_ask_everything() {
        assertThat(AccessRules.allow(with(null), new MockHttpServletRequest("GET", "/v1/leases")))
                .isTrue();
    }

    @Test
    void whoever_has_an_empty_list_may_ask_nothing() {
        assertThat(
                        AccessRules.allow(
                                with(List.of()), new MockHttpServletRequest("GET", "/v1/leases")))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "reservation, GET,    /v1/leases,          GET,  /v1/leases,     true",
        "reservation, GET,    /v1/leases,          POST, /v1/leases,     false",
        "reservation, GET,    /v1/leases,          GET,  /v1/leases/7,   false",
        "reservation, GET,    /v1/leases,          GET,  /v1,            false",
        "compute,     GET,    /v1/leases,          GET,  /v1/leases,     false",
        "reservation, GET,    /v1/leases/*,        GET,  /v1/leases/7,   true",
        "reservation, GET,    /v1/leases/{id},     GET,  /v1/leases/7,   true",
        "reservation, GET,    /v1/leases/*,        GET,  /v1/leases/7/8, false",
        "reservation, GET,    /v1/leases/*,        GET,  /v1/leases/,    false",
        "reservation, GET,    /v1/*/{id},          GET,  /v1/leases/7,   true",
        "reservation, GET,    /v1/**,              GET,  /v1/leases/7/8, true",
        "reservation, GET,    **,                  GET,  /v1/leases,     true",
        "reservation, GET,    /v1.leases,          GET,  /v1/leases,     false",
        "reservation, GET,    /v1/{leases,         GET,  /v1/{leases,    true",
        "reservation, DELETE, /v1/leases/{id},     GET,  /v1/leases/7,   false"
    })
    void a_rule_names_requests(
            String service, String method, String path, String asked, String at, boolean allowed) {
        Identity identity = with(List.of(new AccessRule(service, method, path)));

        assertThat(AccessRules.allow(identity, new MockHttpServletRequest(asked, at)))
                .isEqualTo(allowed);
    }

    private static Identity with(@Nullable List<AccessRule> rules) {
        return new Identity(
                new UserId("u1"),
                new Identity.Scope.Nowhere(),
                Set.of(),
                Instant.EPOCH,
                Set.of(),
                Set.of(),
                rules);
    }
}
