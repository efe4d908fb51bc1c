package org.leasehold.gateway.security.access;

import static org.leasehold.gateway.security.Role.ADMIN;
import static org.leasehold.gateway.security.Role.AUDITOR;
import static org.leasehold.gateway.security.Role.BILLER;
import static org.leasehold.gateway.security.Role.MEMBER;
import static org.leasehold.gateway.security.Role.PLANNER;
import static org.leasehold.gateway.security.Role.READER;

import org.leasehold.gateway.GatewaySettings.Blazar;
import org.leasehold.gateway.NodeRoles.NodeRole;
import org.leasehold.gateway.security.Role;
import org.leasehold.gateway.security.access.AccessPolicy.Rule;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The table of all endpoints and the roles that may use them. */
final class EndpointTable {

    /** Paths that only read although they have a body. */
    private static final Set<String> READ_PATHS_WITH_BODY =
            Set.of("/api/availability", "/api/what-if");

    private static final Set<Role> ANY_ROLE = EnumSet.allOf(Role.class);

    private final List<Rule> rules = new ArrayList<>();

    private final Blazar settings;

    private EndpointTable(Blazar settings) {
        this.settings = settings;
    }

    static List<Rule> rules(Blazar settings) {
        return new EndpointTable(settings)
                .discovery()
                .blazar()
                .blazarFloatingIps()
                .leases()
                .inventory()
                .events()
                .webhooks()
                .calendar()
                .capacity()
                .charges()
                .usage()
                .audit()
                .seals()
                .operation()
                .rules;
    }

    private EndpointTable discovery() {
        return allowOnEveryNode("GET", "/", "blazar:versions:get", ANY_ROLE)
                .allowOnEveryNode("GET", "/versions", "blazar:versions:get", ANY_ROLE)
                .allowOnEveryNode("GET", "/v1/plugins", "blazar:plugins:get", ANY_ROLE)
                .allowOnEveryNode("GET", "/api/kinds", "leasehold:kinds:get", ANY_ROLE)
                .allowOnEveryNode("GET", "/api/kinds/{kind}", "leasehold:kinds:get", ANY_ROLE)
                .allowOnEveryNode("GET", "/api/me", "leasehold:me:get", ANY_ROLE)
                .allowEveryone("GET", "/openapi.json", "leasehold:openapi:get")
                .allowEveryone("GET", "/openapi-blazar.json", "leasehold:openapi:get")
                .allowEveryone("GET", "/docs", "leasehold:docs:get")
                .allowEveryone("GET", "/docs/{file}", "leasehold:docs:get")
                .allowEveryone("GET", "/asyncapi.json", "leasehold:asyncapi:get")
                .allowEveryone("GET", "/problems/{name}", "leasehold:problems:get");
    }

    private EndpointTable blazar() {
        Set<Role> lookingAtLeases = EnumSet.of(READER, AUDITOR, PLANNER, BILLER);
        Set<Role> lookingAtHosts =
                EnumSet.of(settings.openHosts() ? READER : ADMIN, AUDITOR, PLANNER);
        // An administrator may do what a reader may.
        Set<Role> lookingAtAllocations =
                EnumSet.of(settings.openAllocations() ? READER : ADMIN, PLANNER);
        Set<Role> lookingAtProperties =
                EnumSet.of(settings.openProperties() ? READER : ADMIN, AUDITOR, PLANNER);
        return allow("GET", "/v1/leases", "blazar:leases:get", lookingAtLeases)
                .allow("GET", "/v1/leases/{id}", "blazar:leases:get", lookingAtLeases)
                .allow("POST", "/v1/leases", "blazar:leases:post", Set.of(MEMBER))
                .allow("PUT", "/v1/leases/{id}", "blazar:leases:put", Set.of(MEMBER))
                .allow("DELETE", "/v1/leases/{id}", "blazar:leases:delete", Set.of(MEMBER))
                .allow("GET", "/v1/os-hosts", "blazar:oshosts:get", lookingAtHosts)
                .allow("GET", "/v1/os-hosts/{id}", "blazar:oshosts:get", lookingAtHosts)
                .allow("POST", "/v1/os-hosts", "blazar:oshosts:post", Set.of(ADMIN))
                .allow("PUT", "/v1/os-hosts/{id}", "blazar:oshosts:put", Set.of(ADMIN))
                .allow("DELETE", "/v1/os-hosts/{id}", "blazar:oshosts:delete", Set.of(ADMIN))
                .allow(
                        "GET",
                        "/v1/os-hosts/allocations",
                        "blazar:oshosts:get_allocations",
                        lookingAtAllocations)
                .allow(
                        "GET",
                        "/v1/os-hosts/{id}/allocation",
                        "blazar:oshosts:get_allocations",
                        lookingAtAllocations)
                .allow(
                        "GET",
                        "/v1/os-hosts/properties",
                        "blazar:oshosts:get_resource_properties",
                        lookingAtProperties)
                .allow(
                        "PATCH",
                        "/v1/os-hosts/properties/{name}",
                        "blazar:oshosts:update_resource_properties",
                        Set.of(ADMIN));
    }

    private EndpointTable blazarFloatingIps() {
        Set<Role> looking = EnumSet.of(READER, AUDITOR, PLANNER);
        return allow("GET", "/v1/floatingips", "blazar:floatingips:get", looking)
                .allow("GET", "/v1/floatingips/{id}", "blazar:floatingips:get", looking)
                .allow("POST", "/v1/floatingips", "blazar:floatingips:post", Set.of(ADMIN))
                .allow(
                        "DELETE",
                        "/v1/floatingips/{id}",
                        "blazar:floatingips:delete",
                        Set.of(ADMIN));
    }

    private EndpointTable leases() {
        Set<Role> looking = EnumSet.of(READER, AUDITOR, PLANNER, BILLER);
        Set<Role> planning = EnumSet.of(READER, PLANNER);
        return allow("GET", "/api/leases", "leasehold:leases:get", looking)
                .allow("GET", "/api/leases/{id}", "leasehold:leases:get", looking)
                .allow("GET", "/api/leases/{id}/latest-end", "leasehold:leases:get", looking)
                .allow(
                        "GET",
                        "/api/leases/{id}/history",
                        "leasehold:leases:get_history",
                        EnumSet.of(READER, AUDITOR, BILLER))
                .allow("POST", "/api/leases", "leasehold:leases:post", Set.of(MEMBER))
                .allow("POST", "/api/leases/dry-run", "leasehold:leases:dry_run", Set.of(MEMBER))
                .allow("PATCH", "/api/leases/{id}", "leasehold:leases:patch", Set.of(MEMBER))
                .allow("POST", "/api/leases/{id}/end", "leasehold:leases:end", Set.of(MEMBER))
                .allow("DELETE", "/api/leases/{id}", "leasehold:leases:delete", Set.of(MEMBER))
                .allow("GET", "/api/availability", "leasehold:availability:get", planning)
                .allow("POST", "/api/availability", "leasehold:availability:get", planning);
    }

    private EndpointTable inventory() {
        // Readers and members get less of each resource.
        Set<Role> looking = EnumSet.of(READER, AUDITOR, PLANNER);
        String update = "leasehold:resources:update";
        return allow("GET", "/api/resources", "leasehold:resources:get", looking)
                .allow("GET", "/api/resources/{id}", "leasehold:resources:get", looking)
                .allow("POST", "/api/resources", "leasehold:resources:post", Set.of(ADMIN))
                .allow("PATCH", "/api/resources/{id}", update, Set.of(ADMIN))
                .allow("POST", "/api/resources/{id}/disable", update, Set.of(ADMIN))
                .allow("POST", "/api/resources/{id}/enable", update, Set.of(ADMIN))
                .allow("DELETE", "/api/resources/{id}", "leasehold:resources:delete", Set.of(ADMIN))
                .allow(
                        "GET",
                        "/api/resources/allocations",
                        "leasehold:resources:get_allocations",
                        EnumSet.of(ADMIN, PLANNER))
                .allow("GET", "/api/properties", "leasehold:properties:get", looking)
                .allow(
                        "PATCH",
                        "/api/properties/{kind}/{name}",
                        "leasehold:properties:update",
                        Set.of(ADMIN));
    }

    private EndpointTable events() {
        Set<Role> looking = EnumSet.of(READER, AUDITOR, PLANNER, BILLER);
        return allow("GET", "/api/events", "leasehold:events:get", looking)
                .allow("GET", "/api/events/numbers", "leasehold:events:get_numbers", looking);
    }

    private EndpointTable webhooks() {
        // Readers may not read webhooks: an address may contain a secret.
        Set<Role> owning = Set.of(MEMBER);
        String all = "/api/webhooks";
        String one = all + "/{id}";
        String retry = "leasehold:webhooks:retry";
        return allow("GET", all, "leasehold:webhooks:get", owning)
                .allow("GET", one, "leasehold:webhooks:get", owning)
                .allow("POST", all, "leasehold:webhooks:post", owning)
                .allow("PATCH", one, "leasehold:webhooks:patch", owning)
                .allow("DELETE", one, "leasehold:webhooks:delete", owning)
                .allow("POST", one + "/secret", "leasehold:webhooks:replace_secret", owning)
                .allow("POST", one + "/retry", retry, owning)
                .allow("GET", one + "/dead-letters", "leasehold:webhooks:get_dead", owning)
                .allow("POST", one + "/dead-letters/{position}/retry", retry, owning);
    }

    private EndpointTable calendar() {
        Set<Role> looking = EnumSet.of(READER, AUDITOR, PLANNER);
        Set<Role> subscribing = Set.of(READER);
        String feeds = "/api/calendar/feeds";
        return allow("GET", "/api/calendar", "leasehold:calendar:get", looking)
                .allow("GET", feeds, "leasehold:calendar_feeds:get", subscribing)
                .allow("POST", feeds, "leasehold:calendar_feeds:post", subscribing)
                .allow("DELETE", feeds + "/{id}", "leasehold:calendar_feeds:delete", subscribing)
                .allowSecretPath("/calendar/{secret}.ics", "leasehold:calendar_feeds:read");
    }

    private EndpointTable capacity() {
        // The use of all resources reveals what other projects have.
        Set<Role> planning = EnumSet.of(ADMIN, AUDITOR, PLANNER);
        return allow("GET", "/api/capacity", "leasehold:capacity:get", planning)
                .allow("GET", "/api/capacity/forecast", "leasehold:capacity:get_forecast", planning)
                .allow("POST", "/api/what-if", "leasehold:what_if:post", planning);
    }

    private EndpointTable charges() {
        Set<Role> looking = EnumSet.of(READER, AUDITOR, BILLER);
        return allow("GET", "/api/charges", "leasehold:charges:get", looking)
                .allow("GET", "/api/charges/focus", "leasehold:charges:get_focus", looking)
                .allow("POST", "/api/quote", "leasehold:quote:post", Set.of(MEMBER));
    }

    private EndpointTable usage() {
        Set<Role> looking = EnumSet.of(READER, AUDITOR, PLANNER, BILLER);
        return allow("GET", "/api/usage", "leasehold:usage:get", looking)
                .allow("GET", "/api/usage/idle", "leasehold:usage:get_idle", looking)
                .allow(
                        "GET",
                        "/api/refusals",
                        "leasehold:refusals:get",
                        EnumSet.of(READER, AUDITOR, PLANNER));
    }

    private EndpointTable audit() {
        Set<Role> auditing = EnumSet.of(ADMIN, AUDITOR);
        String events = "/api/audit/events";
        return allow("GET", "/api/audit/calls", "leasehold:audit:get_calls", auditing)
                .allow("GET", "/api/audit/denied", "leasehold:audit:get_denied", auditing)
                .allow("GET", events, "leasehold:audit:get_events", auditing)
                .allow("GET", events + "/{position}", "leasehold:audit:get_events", auditing)
                .allow("GET", events + "/{position}/chain", "leasehold:audit:get_chain", auditing)
                .allow("GET", "/api/audit/erasures", "leasehold:audit:get_erasures", auditing)
                .allow("GET", "/api/audit/reads", "leasehold:audit:get_reads", auditing)
                .allow(
                        "GET",
                        "/api/audit/subscriptions",
                        "leasehold:audit:get_subscriptions",
                        auditing)
                .allow(
                        "DELETE",
                        "/api/audit/origins",
                        "leasehold:audit:erase_origins",
                        Set.of(ADMIN));
    }

    private EndpointTable seals() {
        Set<Role> looking = EnumSet.of(ADMIN, AUDITOR);
        return allow("GET", "/api/audit/heads", "leasehold:audit:get_heads", looking)
                .allow("GET", "/api/audit/keys", "leasehold:audit:get_keys", looking)
                .allow("GET", "/api/audit/export", "leasehold:audit:get_export", looking);
    }

    private EndpointTable operation() {
        String operate = "leasehold:operations:use";
        return allow("GET", "/api/operations/stuck", operate, Set.of(ADMIN))
                .allow("GET", "/api/operations/drift", operate, Set.of(ADMIN))
                .allow("GET", "/api/operations/default-leases", operate, Set.of(ADMIN))
                .allow("POST", "/api/operations/leases/{id}/retry", operate, Set.of(ADMIN))
                .allow("POST", "/api/operations/resources/{id}/retry", operate, Set.of(ADMIN))
                .allow("POST", "/api/operations/leases/{id}/force-end", operate, Set.of(ADMIN))
                .allow("GET", "/api/operations/read-models", operate, Set.of(ADMIN))
                .allow("POST", "/api/operations/read-models/rebuild", operate, Set.of(ADMIN))
                .allow("POST", "/api/operations/read-models/{name}/rebuild", operate, Set.of(ADMIN))
                .allowEveryone("GET", "/actuator/health/**", "leasehold:health:get")
                // Metrics name no project: a collector needs no more than this.
                .allowOnEveryNode(
                        "GET",
                        "/actuator/prometheus",
                        "leasehold:metrics:get",
                        EnumSet.of(ADMIN, AUDITOR, PLANNER))
                .allowOnEveryNode("GET", "/actuator/**", operate, Set.of(ADMIN));
    }

    private EndpointTable allow(String method, String path, String name, Set<Role> roles) {
        boolean asks = method.equals("GET") || READ_PATHS_WITH_BODY.contains(path);
        NodeRole needed = asks ? NodeRole.QUERY : NodeRole.COMMAND;
        rules.add(new Rule(method, parsePattern(path), name, false, roles, needed));
        return this;
    }

    private EndpointTable allowOnEveryNode(
            String method, String path, String name, Set<Role> roles) {
        rules.add(new Rule(method, parsePattern(path), name, false, roles, null));
        return this;
    }

    private EndpointTable allowEveryone(String method, String path, String name) {
        rules.add(new Rule(method, parsePattern(path), name, true, Set.of(), null));
        return this;
    }

    /** Adds an endpoint whose path contains a secret, which replaces an identity. */
    private EndpointTable allowSecretPath(String path, String name) {
        rules.add(new Rule("GET", parsePattern(path), name, true, Set.of(), NodeRole.QUERY));
        return this;
    }

    private static PathPattern parsePattern(String path) {
        return PathPatternParser.defaultInstance.parse(path);
    }
}
