package org.leasehold.gateway.security;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** What Keystone's roles mean here. A role that means nothing here is no role. */
final class KeystoneRoles {

    private final Map<String, Role> known = new HashMap<>();

    /**
     * The names of admin, member and reader are OpenStack's own. What a cloud calls its auditors,
     * only its operator knows, and those read beyond their project.
     */
    KeystoneRoles(AuthenticationSettings settings) {
        for (Role role : List.of(Role.ADMIN, Role.MEMBER, Role.READER)) {
            known.put(role.toString(), role);
        }
        settings.auditorRoles().forEach(name -> known.put(plain(name), Role.AUDITOR));
        settings.plannerRoles().forEach(name -> known.put(plain(name), Role.PLANNER));
        settings.billerRoles().forEach(name -> known.put(plain(name), Role.BILLER));
    }

    Set<Role> of(Set<String> names) {
        Set<Role> roles = EnumSet.noneOf(Role.class);
        for (String name : names) {
            Role role = known.get(plain(name));
            if (role != null) {
                roles.add(role);
            }
        }
        return roles;
    }

    /**
     * What roles in the whole system mean: whoever reads there reads in all projects. Nobody
     * writes, not even administrators: what is written here is a project's.
     */
    Set<Role> inSystem(Set<String> names) {
        boolean reads =
                of(names).stream()
                        .anyMatch(role -> role.implies(Role.READER) || role == Role.AUDITOR);
        return reads ? EnumSet.of(Role.AUDITOR) : EnumSet.noneOf(Role.class);
    }

    /** To OpenStack's policies case makes no difference. */
    private static String plain(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
