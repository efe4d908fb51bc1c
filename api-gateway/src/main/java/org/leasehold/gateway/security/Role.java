package org.leasehold.gateway.security;

import java.util.Locale;
import java.util.Set;

/** What somebody is in a project, or, for those who look and never touch, across all of them. */
public enum Role {
    READER,
    MEMBER,
    ADMIN,
    /** Reads who did what and why. */
    AUDITOR,
    /** Reads what is used and what could be. */
    PLANNER,
    /** Reads what is to be paid for. */
    BILLER;

    /** Roles whose holders read beyond their project. */
    static final Set<Role> ACROSS_PROJECTS = Set.of(ADMIN, AUDITOR, PLANNER, BILLER);

    /**
     * Reads OpenStack's form, lower case.
     *
     * @throws IllegalArgumentException if there is no such role
     */
    static Role of(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }

    /** Whether who has this role may do what the other one may. */
    boolean implies(Role other) {
        return switch (this) {
            case ADMIN -> true;
            case MEMBER -> other == MEMBER || other == READER;
            case READER, AUDITOR, PLANNER, BILLER -> other == this;
        };
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
