package org.leasehold.gateway.security.access;

import static java.util.stream.Collectors.toCollection;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.GatewaySettings.Blazar;
import org.leasehold.gateway.NodeRoles.NodeRole;
import org.leasehold.gateway.security.Caller;
import org.leasehold.gateway.security.Role;
import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;

import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The policy that decides who may use an endpoint. An endpoint without a rule does not exist. The
 * policy does not check the project of a lease: another project's lease is not found.
 */
public final class AccessPolicy {

    private final List<Rule> rules;

    private AccessPolicy(List<Rule> rules) {
        this.rules = List.copyOf(rules);
    }

    /** Returns the policy of {@link EndpointTable} with the default settings. */
    public static AccessPolicy standard() {
        return of(Blazar.CLOSED);
    }

    /** Returns the policy of {@link EndpointTable}. */
    public static AccessPolicy of(Blazar settings) {
        return new AccessPolicy(EndpointTable.rules(settings));
    }

    public List<Rule> rules() {
        return rules;
    }

    /** Returns the names of the endpoints that a caller may use. */
    public SortedSet<String> actionsOf(Caller caller) {
        return rules.stream()
                .filter(rule -> rule.allows(caller))
                .map(Rule::name)
                .collect(toCollection(TreeSet::new));
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

    /** A verdict of the policy. */
    public sealed interface Verdict {

        record Allowed(Rule rule) implements Verdict {}

        record Denied(Rule rule) implements Verdict {}

        /** A login is needed first. */
        record Unidentified() implements Verdict {}

        record NothingThere() implements Verdict {}

        record WrongMethod(SortedSet<String> allowed) implements Verdict {}
    }
}
