package org.leasehold.runtime;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.util.Set;

/**
 * What this process is among those that work on one database.
 *
 * @param name what the others know it by; null for the number of the process and the name of the
 *     machine. Containers that have both in common need one each
 * @param roles what it does; all of it, unless something is left to other nodes
 */
@ConfigurationProperties(prefix = NodeSettings.PREFIX, ignoreUnknownFields = false)
record NodeSettings(
        @Nullable String name, @DefaultValue({"command", "query", "saga"}) Set<Role> roles) {

    static final String PREFIX = "leasehold.node";

    /** A part of the engine that a node may have or leave to others. */
    enum Role {
        /** Decides commands, and writes the tables that are written with the events. */
        COMMAND,
        /** Answers questions. */
        QUERY,
        /** Reacts to events, fires timers and calls plugins. */
        SAGA
    }

    NodeSettings {
        roles = Set.copyOf(roles);
        if (roles.isEmpty()) {
            throw new IllegalArgumentException(PREFIX + ".roles names no role");
        }
        if (roles.contains(Role.SAGA) && !roles.contains(Role.COMMAND)) {
            throw new IllegalArgumentException(
                    PREFIX + ".roles: saga needs command, which carries out what it decides");
        }
    }

    boolean has(Role role) {
        return roles.contains(role);
    }
}
