package org.leasehold.runtime;

import org.leasehold.gateway.NodeRoles;
import org.leasehold.gateway.NodeRoles.NodeRole;
import org.leasehold.runtime.NodeSettings.Role;
import org.leasehold.saga.node.Node;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/** Tells each part whether it has anything to do in this process. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(NodeSettings.class)
class NodeConfiguration {

    @Bean
    Node node(NodeSettings settings) {
        return new Node(
                Objects.requireNonNullElseGet(settings.name(), Node::ofThisProcess),
                settings.has(Role.SAGA));
    }

    @Bean
    NodeRoles nodeRoles(NodeSettings settings) {
        Set<NodeRole> roles = EnumSet.noneOf(NodeRole.class);
        if (settings.has(Role.COMMAND)) {
            roles.add(NodeRole.COMMAND);
        }
        if (settings.has(Role.QUERY)) {
            roles.add(NodeRole.QUERY);
        }
        return new NodeRoles(roles);
    }
}
