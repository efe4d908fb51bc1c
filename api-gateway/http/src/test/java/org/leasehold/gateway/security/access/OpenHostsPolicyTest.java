package org.leasehold.gateway.security.access;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.gateway.GatewaySettings.Blazar;
import org.leasehold.gateway.security.Caller;
import org.leasehold.gateway.security.Role;
import org.leasehold.gateway.security.access.AccessPolicy.Rule;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Collectors;

/** Tests which rules the settings for hosts and their allocations replace, and by which. */
class OpenHostsPolicyTest {

    private static List<Rule> changedRules(Blazar settings) {
        return AccessPolicy.of(settings).rules().stream()
                .filter(rule -> !AccessPolicy.standard().rules().contains(rule))
                .toList();
    }

    private static EnumSet<Role> roles(Rule rule) {
        return Arrays.stream(Role.values())
                .filter(
                        role ->
                                rule.allows(
                                        new Caller(
                                                new UserId("u"),
                                                "u",
                                                new ProjectId("p1"),
                                                "demo",
                                                EnumSet.of(role),
                                                "basic")))
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Role.class)));
    }

    @Test
    void open_hosts_change_only_the_rules_for_reading_hosts() {
        List<Rule> changed = changedRules(new Blazar(false, true, false));

        assertThat(changed)
                .allSatisfy(
                        rule ->
                                assertThat(roles(rule))
                                        .isEqualTo(EnumSet.complementOf(EnumSet.of(Role.BILLER))))
                .extracting(rule -> rule.method() + " " + rule.path().getPatternString())
                .containsExactly("GET /v1/os-hosts", "GET /v1/os-hosts/{id}");
    }

    @Test
    void open_allocations_change_only_the_rules_for_reading_allocations() {
        List<Rule> changed = changedRules(new Blazar(false, false, true));

        assertThat(changed)
                .allSatisfy(
                        rule ->
                                assertThat(roles(rule))
                                        .containsExactlyInAnyOrder(
                                                Role.READER, Role.MEMBER, Role.ADMIN, Role.PLANNER))
                .extracting(rule -> rule.method() + " " + rule.path().getPatternString())
                .containsExactly(
                        "GET /v1/os-hosts/allocations", "GET /v1/os-hosts/{id}/allocation");
    }
}
