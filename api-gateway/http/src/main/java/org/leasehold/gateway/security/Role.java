package org.leasehold.gateway.security;

import java.util.Locale;
import java.util.Set;

/** A role of a user in a project, or, for roles that only read, across all projects. */
public enum Role {
    READER,
    MEMBER,
    ADMIN,
    /** Reads who did what and why. */
    AUDITOR,
    /** Reads what is used and what could be. */
    PLANNER,
    /** Reads what has a price. */
    BILLER;

    /** Roles whose holders read beyond their project. */
    static final Set<Role> ACROSS_PROJECTS = Set.of(ADMIN, AUDITOR, PLANNER, BILLER);

    /**
     * Reads OpenStack's form, lower case.
     *
     * @throws IllegalArgumentException if there is no such role
     */
    public static Role of(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }

    /** Returns whether a holder of this role may do what the other role allows. */
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
