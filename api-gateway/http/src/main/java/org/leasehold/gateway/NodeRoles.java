package org.leasehold.gateway;

import java.util.Set;

/** The roles of this node that concern requests; other nodes have the other roles. */
public record NodeRoles(Set<NodeRole> roles) {

    public static final NodeRoles ALL = new NodeRoles(Set.of(NodeRole.values()));

    /** A role that a node must have to serve a request. */
    public enum NodeRole {
        /** Serves requests that change something. */
        COMMAND,
        /** Serves requests that only read. */
        QUERY
    }

    public NodeRoles {
        roles = Set.copyOf(roles);
    }
}
