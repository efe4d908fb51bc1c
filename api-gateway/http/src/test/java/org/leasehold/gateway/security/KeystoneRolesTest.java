package org.leasehold.gateway.security;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Set;

class KeystoneRolesTest {

    private final KeystoneRoles roles =
            new KeystoneRoles(TokenCacheTest.settings(Duration.ZERO, 1));

    @Test
    void the_openstack_role_names_map_to_the_engine_roles() {
        assertThat(roles.of(Set.of("reader", "member", "Admin")))
                .containsExactlyInAnyOrder(Role.READER, Role.MEMBER, Role.ADMIN);
    }

    @Test
    void an_unknown_role_is_ignored() {
        assertThat(roles.of(Set.of("heat_stack_owner", "service"))).isEmpty();
    }

    @Test
    void a_configured_role_makes_a_member_of_the_project() {
        assertThat(roles.of(Set.of("_member_"))).containsExactly(Role.MEMBER);
        assertThat(roles.of(Set.of("_member_", "reader")))
                .containsExactlyInAnyOrder(Role.READER, Role.MEMBER);
        assertThat(roles.ofSystemScope(Set.of("_member_"))).isEmpty();
    }

    @Test
    void a_system_role_grants_only_the_auditor_role() {
        for (String role : Set.of("reader", "member", "Admin", "cloud_auditor")) {
            assertThat(roles.ofSystemScope(Set.of(role))).as(role).containsExactly(Role.AUDITOR);
        }
        assertThat(roles.ofSystemScope(Set.of("heat_stack_owner", "planner"))).isEmpty();
        assertThat(roles.ofSystemScope(Set.of())).isEmpty();
    }

    @Test
    void cross_project_roles_require_a_configured_role_name() {
        assertThat(roles.of(Set.of("auditor", "planner", "biller"))).isEmpty();
        assertThat(roles.of(Set.of("cloud_auditor"))).containsExactly(Role.AUDITOR);
    }
}
