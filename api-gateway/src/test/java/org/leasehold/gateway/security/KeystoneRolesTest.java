package org.leasehold.gateway.security;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Set;

class KeystoneRolesTest {

    private final KeystoneRoles roles =
            new KeystoneRoles(TokenCacheTest.settings(Duration.ZERO, 1));

    @Test
    void the_names_of_openstack_mean_what_they_say() {
        assertThat(roles.of(Set.of("reader", "member", "Admin")))
                .containsExactlyInAnyOrder(Role.READER, Role.MEMBER, Role.ADMIN);
    }

    @Test
    void a_role_that_means_nothing_here_is_no_role() {
        assertThat(roles.of(Set.of("_member_", "heat_stack_owner", "service"))).isEmpty();
    }

    @Test
    void whoever_reads_in_the_whole_system_audits_all_projects_and_writes_in_none() {
        for (String role : Set.of("reader", "member", "Admin", "cloud_auditor")) {
            assertThat(roles.inSystem(Set.of(role))).as(role).containsExactly(Role.AUDITOR);
        }
        assertThat(roles.inSystem(Set.of("heat_stack_owner", "planner"))).isEmpty();
        assertThat(roles.inSystem(Set.of())).isEmpty();
    }

    @Test
    void who_reads_across_projects_is_the_operators_to_say() {
        assertThat(roles.of(Set.of("auditor", "planner", "biller"))).isEmpty();
        assertThat(roles.of(Set.of("cloud_auditor"))).containsExactly(Role.AUDITOR);
    }
}
