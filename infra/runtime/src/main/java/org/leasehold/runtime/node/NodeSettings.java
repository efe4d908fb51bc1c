package org.leasehold.runtime.node;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.util.Set;

/**
 * Settings of this process among the nodes that share one database.
 *
 * @param name the name that other nodes see; null for the number of the process and the name of the
 *     machine. Containers that have both in common need one each
 * @param roles the roles of this node; all of them by default
 */
@ConfigurationProperties(prefix = NodeSettings.PREFIX, ignoreUnknownFields = false)
public record NodeSettings(
        @Nullable String name, @DefaultValue({"command", "query", "saga"}) Set<Role> roles) {

    static final String PREFIX = "leasehold.node";

    /** A part of the engine that a node runs or leaves to other nodes. */
    public enum Role {
        /** Decides commands, and writes the tables that are written with the events. */
        COMMAND,
        /** Answers queries. */
        QUERY,
        /** Reacts to events, fires timers and calls plug-ins. */
        SAGA
    }

    public NodeSettings {
        roles = Set.copyOf(roles);
        if (roles.isEmpty()) {
            throw new IllegalArgumentException(PREFIX + ".roles names no role");
        }
        if (roles.contains(Role.SAGA) && !roles.contains(Role.COMMAND)) {
            throw new IllegalArgumentException(
                    PREFIX + ".roles: saga needs command, which carries out what it decides");
        }
    }

    public boolean has(Role role) {
        return roles.contains(role);
    }
}
