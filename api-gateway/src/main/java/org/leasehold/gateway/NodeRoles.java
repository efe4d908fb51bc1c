package org.leasehold.gateway;

import java.util.Set;

/** The roles that this node has of those that serve requests; other nodes have the rest. */
public record NodeRoles(Set<NodeRole> roles) {

    public static final NodeRoles ALL = new NodeRoles(Set.of(NodeRole.values()));

    /** What a request needs of the node that serves it. */
    public enum NodeRole {
        /** It changes something. */
        COMMAND,
        /** It asks a question. */
        QUERY
    }

    public NodeRoles {
        roles = Set.copyOf(roles);
    }
}
