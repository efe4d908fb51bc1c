package org.leasehold.gateway.security;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The roles of Keystone mapped to ours. A role without a mapping is no role. */
final class KeystoneRoles {

    private final Map<String, Role> rolesByName = new HashMap<>();

    /** Further roles of members. In the system they are no roles, because auditors read there. */
    private final Set<String> memberRoles;

    /**
     * Maps names to roles. The names of admin, member and reader are OpenStack's own. The name for
     * auditors is known to a cloud's operator only, and auditors read beyond their project.
     */
    KeystoneRoles(AuthenticationSettings settings) {
        for (Role role : List.of(Role.ADMIN, Role.MEMBER, Role.READER)) {
            rolesByName.put(role.toString(), role);
        }
        settings.auditorRoles().forEach(name -> rolesByName.put(plain(name), Role.AUDITOR));
        settings.plannerRoles().forEach(name -> rolesByName.put(plain(name), Role.PLANNER));
        settings.billerRoles().forEach(name -> rolesByName.put(plain(name), Role.BILLER));
        memberRoles =
                settings.memberRoles().stream()
                        .map(KeystoneRoles::plain)
                        .collect(Collectors.toUnmodifiableSet());
    }

    /** Returns our roles for roles in a project. */
    Set<Role> of(Set<String> names) {
        Set<Role> roles = mapped(names);
        if (names.stream().map(KeystoneRoles::plain).anyMatch(memberRoles::contains)) {
            roles.add(Role.MEMBER);
        }
        return roles;
    }

    private Set<Role> mapped(Set<String> names) {
        Set<Role> roles = EnumSet.noneOf(Role.class);
        for (String name : names) {
            Role role = rolesByName.get(plain(name));
            if (role != null) {
                roles.add(role);
            }
        }
        return roles;
    }

    /**
     * Returns our roles for roles in the whole system: a caller who reads there reads in all
     * projects. No such caller writes, not even an administrator: a write belongs to a project.
     */
    Set<Role> ofSystemScope(Set<String> names) {
        boolean reads =
                mapped(names).stream()
                        .anyMatch(role -> role.implies(Role.READER) || role == Role.AUDITOR);
        return reads ? EnumSet.of(Role.AUDITOR) : EnumSet.noneOf(Role.class);
    }

    /** Ignores the case, as OpenStack's policies do. */
    private static String plain(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
