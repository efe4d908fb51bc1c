package org.leasehold.gateway.security.access;

import static org.leasehold.gateway.security.Role.ADMIN;
import static org.leasehold.gateway.security.Role.AUDITOR;
import static org.leasehold.gateway.security.Role.BILLER;
import static org.leasehold.gateway.security.Role.MEMBER;
import static org.leasehold.gateway.security.Role.PLANNER;
import static org.leasehold.gateway.security.Role.READER;

import static java.util.stream.Collectors.toCollection;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.NodeRoles.NodeRole;
import org.leasehold.gateway.security.Caller;
import org.leasehold.gateway.security.Role;
import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The table of all endpoints and who may use them. An endpoint that is not in it does not exist.
 * The table does not check the project of a lease: another project's lease is not found.
 */
public final class AccessPolicy {

    /** Paths that only read although they have a body. */
    private static final Set<String> READ_PATHS_WITH_BODY =
            Set.of("/api/availability", "/api/what-if");

    private static final Set<Role> ANY_ROLE = EnumSet.allOf(Role.class);

    private final List<Rule> rules = new ArrayList<>();

    private AccessPolicy() {}

    /** Returns the table. */
    public static AccessPolicy standard() {
        return new AccessPolicy()
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
                .operation();
    }

    private AccessPolicy discovery() {
        return allowOnEveryNode("GET", "/", "blazar:versions:get", ANY_ROLE)
                .allowOnEveryNode("GET", "/versions", "blazar:versions:get", ANY_ROLE)
                .allowOnEveryNode("GET", "/v1/plugins", "blazar:plugins:get", ANY_ROLE)
                .allowOnEveryNode("GET", "/api/kinds", "leasehold:kinds:get", ANY_ROLE)
                .allowEveryone("GET", "/openapi.json", "leasehold:openapi:get")
                .allowEveryone("GET", "/asyncapi.json", "leasehold:asyncapi:get")
                .allowEveryone("GET", "/problems/{name}", "leasehold:problems:get");
    }

    private AccessPolicy blazar() {
        Set<Role> lookingAtLeases = EnumSet.of(READER, AUDITOR, PLANNER, BILLER);
        Set<Role> lookingAtHosts = EnumSet.of(ADMIN, AUDITOR, PLANNER);
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
                        EnumSet.of(ADMIN, PLANNER))
                .allow(
                        "GET",
                        "/v1/os-hosts/{id}/allocation",
                        "blazar:oshosts:get_allocations",
                        EnumSet.of(ADMIN, PLANNER))
                .allow(
                        "GET",
                        "/v1/os-hosts/properties",
                        "blazar:oshosts:get_resource_properties",
                        lookingAtHosts)
                .allow(
                        "PATCH",
                        "/v1/os-hosts/properties/{name}",
                        "blazar:oshosts:update_resource_properties",
                        Set.of(ADMIN));
    }

    private AccessPolicy blazarFloatingIps() {
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

    private AccessPolicy leases() {
        Set<Role> looking = EnumSet.of(READER, AUDITOR, PLANNER, BILLER);
        Set<Role> planning = EnumSet.of(READER, PLANNER);
        return allow("GET", "/api/leases", "leasehold:leases:get", looking)
                .allow("GET", "/api/leases/{id}", "leasehold:leases:get", looking)
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

    private AccessPolicy inventory() {
        Set<Role> looking = EnumSet.of(ADMIN, AUDITOR, PLANNER);
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

    private AccessPolicy events() {
        Set<Role> looking = EnumSet.of(READER, AUDITOR, PLANNER, BILLER);
        return allow("GET", "/api/events", "leasehold:events:get", looking)
                .allow("GET", "/api/events/numbers", "leasehold:events:get_numbers", looking);
    }

    private AccessPolicy webhooks() {
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

    private AccessPolicy calendar() {
        Set<Role> looking = EnumSet.of(READER, AUDITOR, PLANNER);
        Set<Role> subscribing = Set.of(READER);
        String feeds = "/api/calendar/feeds";
        return allow("GET", "/api/calendar", "leasehold:calendar:get", looking)
                .allow("GET", feeds, "leasehold:calendar_feeds:get", subscribing)
                .allow("POST", feeds, "leasehold:calendar_feeds:post", subscribing)
                .allow("DELETE", feeds + "/{id}", "leasehold:calendar_feeds:delete", subscribing)
                .allowSecretPath("/calendar/{secret}.ics", "leasehold:calendar_feeds:read");
    }

    private AccessPolicy capacity() {
        // The use of all resources reveals what other projects have.
        Set<Role> planning = EnumSet.of(ADMIN, AUDITOR, PLANNER);
        return allow("GET", "/api/capacity", "leasehold:capacity:get", planning)
                .allow("GET", "/api/capacity/forecast", "leasehold:capacity:get_forecast", planning)
                .allow("POST", "/api/what-if", "leasehold:what_if:post", planning);
    }

    private AccessPolicy charges() {
        Set<Role> looking = EnumSet.of(READER, AUDITOR, BILLER);
        return allow("GET", "/api/charges", "leasehold:charges:get", looking)
                .allow("GET", "/api/charges/focus", "leasehold:charges:get_focus", looking)
                .allow("POST", "/api/quote", "leasehold:quote:post", Set.of(MEMBER));
    }

    private AccessPolicy usage() {
        Set<Role> looking = EnumSet.of(READER, AUDITOR, PLANNER, BILLER);
        return allow("GET", "/api/usage", "leasehold:usage:get", looking);
    }

    private AccessPolicy audit() {
        Set<Role> auditing = EnumSet.of(ADMIN, AUDITOR);
        String events = "/api/audit/events";
        return allow("GET", "/api/audit/calls", "leasehold:audit:get_calls", auditing)
                .allow("GET", "/api/audit/denied", "leasehold:audit:get_denied", auditing)
                .allow("GET", events, "leasehold:audit:get_events", auditing)
                .allow("GET", events + "/{position}", "leasehold:audit:get_events", auditing)
                .allow("GET", events + "/{position}/chain", "leasehold:audit:get_chain", auditing)
                .allow("GET", "/api/audit/erasures", "leasehold:audit:get_erasures", auditing)
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

    private AccessPolicy seals() {
        Set<Role> looking = EnumSet.of(ADMIN, AUDITOR);
        return allow("GET", "/api/audit/heads", "leasehold:audit:get_heads", looking)
                .allow("GET", "/api/audit/keys", "leasehold:audit:get_keys", looking)
                .allow("GET", "/api/audit/export", "leasehold:audit:get_export", looking);
    }

    private AccessPolicy operation() {
        String operate = "leasehold:operations:use";
        return allow("GET", "/api/operations/stuck", operate, Set.of(ADMIN))
                .allow("GET", "/api/operations/drift", operate, Set.of(ADMIN))
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

    private AccessPolicy allow(String method, String path, String name, Set<Role> roles) {
        boolean asks = method.equals("GET") || READ_PATHS_WITH_BODY.contains(path);
        NodeRole needed = asks ? NodeRole.QUERY : NodeRole.COMMAND;
        rules.add(new Rule(method, parsePattern(path), name, false, roles, needed));
        return this;
    }

    private AccessPolicy allowOnEveryNode(
            String method, String path, String name, Set<Role> roles) {
        rules.add(new Rule(method, parsePattern(path), name, false, roles, null));
        return this;
    }

    private AccessPolicy allowEveryone(String method, String path, String name) {
        rules.add(new Rule(method, parsePattern(path), name, true, Set.of(), null));
        return this;
    }

    /** Adds an endpoint whose path contains a secret, which replaces an identity. */
    private AccessPolicy allowSecretPath(String path, String name) {
        rules.add(new Rule("GET", parsePattern(path), name, true, Set.of(), NodeRole.QUERY));
        return this;
    }

    private static PathPattern parsePattern(String path) {
        return PathPatternParser.defaultInstance.parse(path);
    }

    public List<Rule> rules() {
        return Collections.unmodifiableList(rules);
    }

    /** Returns whether a caller, null if unknown, may use a method on a path. */
    public Verdict evaluate(String method, PathContainer path, @Nullable Caller caller) {
        return evaluate(
                method, path, caller != null, rule -> caller != null && rule.allows(caller));
    }

    /** Returns whether a known user without a role here may use a method on a path. */
    Verdict evaluateWithoutRole(String method, PathContainer path) {
        return evaluate(method, path, true, Rule::everyone);
    }

    private Verdict evaluate(
            String method, PathContainer path, boolean isKnown, Predicate<Rule> allows) {
        // A resource that may be read allows HEAD, too.
        String asked = method.equals("HEAD") ? "GET" : method;
        List<Rule> there = rules.stream().filter(rule -> rule.path().matches(path)).toList();
        Rule rule = mostSpecific(there.stream().filter(r -> r.method().equals(asked)).toList());
        if (rule != null && rule.everyone()) {
            return new Verdict.Allowed(rule);
        }
        if (!isKnown) {
            // Also for unknown paths: callers without a login must not learn what exists.
            return new Verdict.Unidentified();
        }
        if (rule != null) {
            return allows.test(rule) ? new Verdict.Allowed(rule) : new Verdict.Denied(rule);
        }
        if (there.isEmpty()) {
            return new Verdict.NothingThere();
        }
        SortedSet<String> methods =
                there.stream().map(Rule::method).collect(toCollection(TreeSet::new));
        return new Verdict.WrongMethod(methods);
    }

    private static @Nullable Rule mostSpecific(List<Rule> candidates) {
        Rule best = null;
        for (Rule rule : candidates) {
            if (best == null || rule.path().compareTo(best.path()) < 0) {
                best = rule;
            }
        }
        return best;
    }

    /**
     * An endpoint and who may use it.
     *
     * @param name the name that a denial gives
     * @param everyone whether it needs no identity at all
     * @param roles any of them is enough, also when another role implies it
     * @param needs the role that a node needs to serve it; null where every node does
     */
    public record Rule(
            String method,
            PathPattern path,
            String name,
            boolean everyone,
            Set<Role> roles,
            @Nullable NodeRole needs) {

        public Rule {
            roles = Set.copyOf(roles);
        }

        public boolean allows(Caller caller) {
            return everyone || roles.stream().anyMatch(caller::hasRole);
        }
    }

    /** A verdict of the table. */
    public sealed interface Verdict {

        record Allowed(Rule rule) implements Verdict {}

        record Denied(Rule rule) implements Verdict {}

        /** A login is needed first. */
        record Unidentified() implements Verdict {}

        record NothingThere() implements Verdict {}

        record WrongMethod(SortedSet<String> allowed) implements Verdict {}
    }
}
