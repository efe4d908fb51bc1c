package org.leasehold.gateway.security.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.leasehold.gateway.GatewaySettings.Blazar;
import org.leasehold.gateway.NodeRoles.NodeRole;
import org.leasehold.gateway.security.Caller;
import org.leasehold.gateway.security.Role;
import org.leasehold.gateway.security.access.AccessPolicy.Verdict;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;
import org.springframework.http.server.PathContainer;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

class AccessPolicyTest {

    private static final AccessPolicy POLICY = AccessPolicy.standard();

    /**
     * The users of each policy, written a second time: an error in the table must be made twice.
     */
    private static final Map<String, String> WHO =
            new TreeMap<>(
                    Map.ofEntries(
                            who(
                                    "blazar:versions:get",
                                    "reader member admin auditor planner biller"),
                            who("blazar:plugins:get", "reader member admin auditor planner biller"),
                            who("blazar:leases:get", "reader member admin auditor planner biller"),
                            who("blazar:leases:post", "member admin"),
                            who("blazar:leases:put", "member admin"),
                            who("blazar:leases:delete", "member admin"),
                            who("blazar:oshosts:get", "admin auditor planner"),
                            who("blazar:oshosts:post", "admin"),
                            who("blazar:oshosts:put", "admin"),
                            who("blazar:oshosts:delete", "admin"),
                            who("blazar:oshosts:get_allocations", "admin planner"),
                            who("blazar:oshosts:get_resource_properties", "admin auditor planner"),
                            who("blazar:oshosts:update_resource_properties", "admin"),
                            who("blazar:floatingips:get", "reader member admin auditor planner"),
                            who("blazar:floatingips:post", "admin"),
                            who("blazar:floatingips:delete", "admin"),
                            who(
                                    "leasehold:kinds:get",
                                    "reader member admin auditor planner biller"),
                            who("leasehold:me:get", "reader member admin auditor planner biller"),
                            who(
                                    "leasehold:leases:get",
                                    "reader member admin auditor planner biller"),
                            who(
                                    "leasehold:leases:get_history",
                                    "reader member admin auditor biller"),
                            who("leasehold:leases:post", "member admin"),
                            who("leasehold:leases:dry_run", "member admin"),
                            who("leasehold:leases:patch", "member admin"),
                            who("leasehold:leases:end", "member admin"),
                            who("leasehold:leases:delete", "member admin"),
                            who("leasehold:availability:get", "reader member admin planner"),
                            who("leasehold:resources:get", "reader member admin auditor planner"),
                            who("leasehold:resources:post", "admin"),
                            who("leasehold:resources:update", "admin"),
                            who("leasehold:resources:delete", "admin"),
                            who("leasehold:resources:get_allocations", "admin planner"),
                            who("leasehold:properties:get", "reader member admin auditor planner"),
                            who("leasehold:properties:update", "admin"),
                            who(
                                    "leasehold:events:get",
                                    "reader member admin auditor planner biller"),
                            who(
                                    "leasehold:events:get_numbers",
                                    "reader member admin auditor planner biller"),
                            who("leasehold:calendar:get", "reader member admin auditor planner"),
                            who("leasehold:calendar_feeds:get", "reader member admin"),
                            who("leasehold:calendar_feeds:post", "reader member admin"),
                            who("leasehold:calendar_feeds:delete", "reader member admin"),
                            who("leasehold:webhooks:get", "member admin"),
                            who("leasehold:webhooks:post", "member admin"),
                            who("leasehold:webhooks:patch", "member admin"),
                            who("leasehold:webhooks:delete", "member admin"),
                            who("leasehold:webhooks:replace_secret", "member admin"),
                            who("leasehold:webhooks:retry", "member admin"),
                            who("leasehold:webhooks:get_dead", "member admin"),
                            who("leasehold:capacity:get", "admin auditor planner"),
                            who("leasehold:capacity:get_forecast", "admin auditor planner"),
                            who("leasehold:what_if:post", "admin auditor planner"),
                            who("leasehold:charges:get", "reader member admin auditor biller"),
                            who(
                                    "leasehold:charges:get_focus",
                                    "reader member admin auditor biller"),
                            who("leasehold:quote:post", "member admin"),
                            who(
                                    "leasehold:usage:get",
                                    "reader member admin auditor planner biller"),
                            who(
                                    "leasehold:usage:get_idle",
                                    "reader member admin auditor planner biller"),
                            who("leasehold:refusals:get", "reader member admin auditor planner"),
                            who("leasehold:audit:erase_origins", "admin"),
                            who("leasehold:audit:get_calls", "admin auditor"),
                            who("leasehold:audit:get_erasures", "admin auditor"),
                            who("leasehold:audit:get_reads", "admin auditor"),
                            who("leasehold:audit:get_chain", "admin auditor"),
                            who("leasehold:audit:get_denied", "admin auditor"),
                            who("leasehold:audit:get_events", "admin auditor"),
                            who("leasehold:audit:get_export", "admin auditor"),
                            who("leasehold:audit:get_heads", "admin auditor"),
                            who("leasehold:audit:get_keys", "admin auditor"),
                            who("leasehold:audit:get_subscriptions", "admin auditor"),
                            who("leasehold:metrics:get", "admin auditor planner"),
                            who("leasehold:operations:use", "admin")));

    @Test
    void every_change_requires_a_command_node() {
        for (AccessPolicy.Rule rule : POLICY.rules()) {
            boolean asks =
                    rule.method().equals("GET")
                            || Set.of("/api/availability", "/api/what-if")
                                    .contains(rule.path().getPatternString());
            if (asks) {
                assertThat(rule.needs()).as(rule.toString()).isNotEqualTo(NodeRole.COMMAND);
            } else {
                assertThat(rule.needs()).as(rule.toString()).isEqualTo(NodeRole.COMMAND);
            }
        }
    }

    @Test
    void only_descriptions_and_actuator_endpoints_need_no_node_role() {
        assertThat(
                        POLICY.rules().stream()
                                .filter(rule -> rule.needs() == null)
                                .map(rule -> rule.path().getPatternString()))
                .containsExactlyInAnyOrder(
                        "/",
                        "/versions",
                        "/v1/plugins",
                        "/api/kinds",
                        "/api/kinds/{kind}",
                        "/api/me",
                        "/openapi.json",
                        "/openapi-blazar.json",
                        "/docs",
                        "/docs/{file}",
                        "/asyncapi.json",
                        "/problems/{name}",
                        "/actuator/health/**",
                        "/actuator/prometheus",
                        "/actuator/**");
    }

    @Test
    void every_rule_allows_exactly_the_roles_that_are_written_here() {
        Map<String, Set<String>> actual = new TreeMap<>();
        for (AccessPolicy.Rule rule : POLICY.rules()) {
            if (!rule.everyone()) {
                Set<String> allowed = new TreeSet<>();
                for (Role role : Role.values()) {
                    if (rule.allows(caller(role))) {
                        allowed.add(role.toString());
                    }
                }
                assertThat(actual.merge(rule.name(), allowed, (a, b) -> a)).isEqualTo(allowed);
            }
        }
        Map<String, Set<String>> expected = new TreeMap<>();
        WHO.forEach(
                (name, roles) ->
                        expected.put(name, new TreeSet<>(Arrays.asList(roles.split(" ")))));
        assertThat(actual).isEqualTo(expected);
    }

    @Test
    void open_properties_of_hosts_change_no_other_rule() {
        assertThat(AccessPolicy.of(Blazar.CLOSED).rules()).isEqualTo(POLICY.rules());

        assertThat(AccessPolicy.of(new Blazar(true, false, false)).rules())
                .filteredOn(rule -> !POLICY.rules().contains(rule))
                .singleElement()
                .satisfies(
                        rule -> {
                            assertThat(rule.method()).isEqualTo("GET");
                            assertThat(rule.path().getPatternString())
                                    .isEqualTo("/v1/os-hosts/properties");
                            assertThat(
                                            Stream.of(Role.values())
                                                    .filter(role -> rule.allows(caller(role))))
                                    .containsExactlyInAnyOrder(
                                            Role.READER,
                                            Role.MEMBER,
                                            Role.ADMIN,
                                            Role.AUDITOR,
                                            Role.PLANNER);
                        });
    }

    @Test
    void the_actions_of_a_caller_are_the_policies_that_allow_them() {
        for (Role role : Role.values()) {
            assertThat(POLICY.actionsOf(caller(role)))
                    .filteredOn(WHO::containsKey)
                    .containsExactlyInAnyOrderElementsOf(
                            WHO.entrySet().stream()
                                    .filter(who -> isNamed(who.getValue(), role))
                                    .map(Map.Entry::getKey)
                                    .toList());
        }
    }

    private static boolean isNamed(String roles, Role role) {
        return Set.of(roles.split(" ")).contains(role.toString());
    }

    @Test
    void only_health_descriptions_and_feeds_need_no_authentication() {
        Stream<String> open =
                POLICY.rules().stream()
                        .filter(AccessPolicy.Rule::everyone)
                        .map(rule -> rule.path().getPatternString());
        assertThat(open)
                .containsExactlyInAnyOrder(
                        "/actuator/health/**",
                        "/openapi.json",
                        "/openapi-blazar.json",
                        "/docs",
                        "/docs/{file}",
                        "/asyncapi.json",
                        "/problems/{name}",
                        "/calendar/{secret}.ics");
    }

    @Test
    void every_endpoint_has_one_rule() {
        Set<String> seen = new HashSet<>();
        for (AccessPolicy.Rule rule : POLICY.rules()) {
            assertThat(seen.add(rule.method() + " " + rule.path())).as(rule.toString()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(Role.class)
    void only_administrators_write_in_all_projects(Role role) {
        Caller caller = caller(role);
        boolean across = !Set.of(Role.READER, Role.MEMBER).contains(role);
        assertThat(caller.readScope()).isEqualTo(across ? null : caller.project());
        assertThat(caller.writeScope()).isEqualTo(role == Role.ADMIN ? null : caller.project());
    }

    @Test
    void known_and_unknown_paths_look_equal_to_an_unidentified_caller() {
        assertThat(judge("GET", "/v1/leases", null)).isInstanceOf(Verdict.Unidentified.class);
        assertThat(judge("GET", "/v1/nonsense", null)).isInstanceOf(Verdict.Unidentified.class);
        assertThat(judge("PATCH", "/v1/leases", null)).isInstanceOf(Verdict.Unidentified.class);
    }

    @Test
    void a_path_without_a_rule_does_not_exist_for_administrators() {
        Caller admin = caller(Role.ADMIN);
        assertThat(judge("GET", "/v1/leases/", admin)).isInstanceOf(Verdict.NothingThere.class);
        assertThat(judge("GET", "/v2/leases", admin)).isInstanceOf(Verdict.NothingThere.class);
        assertThat(judge("GET", "/error", admin)).isInstanceOf(Verdict.NothingThere.class);
    }

    @Test
    void a_wrong_method_is_answered_with_the_permitted_methods() {
        assertThat(judge("PATCH", "/v1/leases", caller(Role.READER)))
                .isEqualTo(new Verdict.WrongMethod(new TreeSet<>(Set.of("GET", "POST"))));
        assertThat(judge("GET", "/v1/os-hosts/properties/gpu", caller(Role.ADMIN)))
                .isEqualTo(new Verdict.WrongMethod(new TreeSet<>(Set.of("PATCH"))));
    }

    @Test
    void the_more_specific_of_two_paths_decides() {
        assertThat(judge("GET", "/v1/os-hosts/allocations", caller(Role.AUDITOR)))
                .isInstanceOfSatisfying(
                        Verdict.Denied.class,
                        denied ->
                                assertThat(denied.rule().name())
                                        .isEqualTo("blazar:oshosts:get_allocations"));
        assertThat(judge("GET", "/actuator/health/liveness", null))
                .isInstanceOf(Verdict.Allowed.class);
        assertThat(judge("GET", "/actuator/prometheus", caller(Role.MEMBER)))
                .isInstanceOf(Verdict.Denied.class);
    }

    @Test
    void a_get_permission_includes_head() {
        assertThat(judge("HEAD", "/v1/leases", caller(Role.READER)))
                .isInstanceOf(Verdict.Allowed.class);
    }

    @Test
    void an_unknown_role_name_is_rejected() {
        assertThatThrownBy(() -> Role.of("owner")).isInstanceOf(IllegalArgumentException.class);
        assertThat(Role.of("auditor").toString()).isEqualTo("auditor");
    }

    private static Verdict judge(String method, String path, @Nullable Caller caller) {
        return POLICY.evaluate(method, PathContainer.parsePath(path), caller);
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

    private static Map.Entry<String, String> who(String name, String roles) {
        return Map.entry(name, roles);
    }
}
