package org.leasehold.gateway.security;

import jakarta.servlet.http.HttpServletRequest;

import org.leasehold.resource.identity.Identity;
import org.leasehold.resource.identity.Identity.AccessRule;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Access rules of restricted application credentials, in the terms of OpenStack's services. */
final class AccessRules {

    private static final String SERVICE = "reservation";
    private static final Pattern PATH_PART =
            Pattern.compile("(?<tail>\\*\\*)|(?<one>\\*|\\{[^}]*})|(?<text>[^*{]+|\\{)");

    private AccessRules() {}

    static boolean isAllowed(Identity identity, HttpServletRequest request) {
        List<AccessRule> rules = identity.accessRules();
        if (rules == null) {
            return true;
        }
        String path = request.getRequestURI().substring(request.getContextPath().length());
        return rules.stream()
                .anyMatch(
                        rule ->
                                rule.service().equals(SERVICE)
                                        && rule.method().equals(request.getMethod())
                                        && toPattern(rule.path()).matcher(path).matches());
    }

    private static Pattern toPattern(String path) {
        StringBuilder pattern = new StringBuilder();
        for (Matcher part = PATH_PART.matcher(path); part.find(); ) {
            if (part.group("tail") != null) {
                pattern.append(".*");
            } else if (part.group("one") != null) {
                pattern.append("[^/]+");
            } else {
                pattern.append(Pattern.quote(part.group("text")));
            }
        }
        return Pattern.compile(pattern.toString());
    }
}
