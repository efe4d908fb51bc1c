package org.leasehold.gateway.security;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.leasehold.resource.identity.Identity;
import org.leasehold.resource.identity.Identity.AccessRule;
import org.leasehold.vocabulary.UserId;
import org.springframework.mock.web.MockHttpServletRequest;

import java.time.Instant;
import java.util.List;
import java.util.Set;

class AccessRulesTest {

    @Test
    void an_identity_without_access_rules_may_send_any_request() {
        assertThat(
                        AccessRules.isAllowed(
                                with(null), new MockHttpServletRequest("GET", "/v1/leases")))
                .isTrue();
    }

    @Test
    void an_identity_with_empty_access_rules_may_send_no_request() {
        assertThat(
                        AccessRules.isAllowed(
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
    void an_access_rule_matches_by_service_method_and_path(
            String service, String method, String path, String asked, String at, boolean allowed) {
        Identity identity = with(List.of(new AccessRule(service, method, path)));

        assertThat(AccessRules.isAllowed(identity, new MockHttpServletRequest(asked, at)))
                .isEqualTo(allowed);
    }

    private static Identity with(@Nullable List<AccessRule> rules) {
        return new Identity(
                new UserId("u1"),
                "ada",
                new Identity.Scope.Nowhere(),
                Set.of(),
                Instant.EPOCH,
                Set.of(),
                Set.of(),
                rules);
    }
}
