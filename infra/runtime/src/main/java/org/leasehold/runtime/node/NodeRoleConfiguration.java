package org.leasehold.runtime.node;

import org.flywaydb.core.Flyway;
import org.leasehold.gateway.NodeRoles;
import org.leasehold.gateway.NodeRoles.NodeRole;
import org.leasehold.query.projection.Projectors;
import org.leasehold.runtime.node.NodeSettings.Role;
import org.leasehold.saga.node.Node;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.flyway.autoconfigure.FlywayMigrationStrategy;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

import javax.sql.DataSource;

/** The name and the roles of this node, and the parts that they enable. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(NodeSettings.class)
class NodeRoleConfiguration {

    @Bean
    Node node(NodeSettings settings) {
        return new Node(
                Objects.requireNonNullElseGet(settings.name(), Node::currentProcessName),
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

    @Bean
    ProjectionLifecycle projectionLifecycle(Projectors projectors, Node node) {
        return new ProjectionLifecycle(projectors, node);
    }

    /** Migrates the tables on nodes that write. Others, maybe on a replica, only validate them. */
    @Bean
    FlywayMigrationStrategy migration(NodeSettings settings) {
        return flyway -> {
            if (settings.has(Role.COMMAND)) {
                migrate(flyway);
            } else {
                flyway.validate();
            }
        };
    }

    /**
     * Migrates on one connection, so that a migration commits together with its entry in the
     * history. By default, the library uses two connections, and a process that dies in between can
     * never start again.
     */
    private static void migrate(Flyway flyway) {
        DataSource dataSource = flyway.getConfiguration().getDataSource();
        try (Connection connection = dataSource.getConnection();
                SingleConnectionDataSource one = new SingleConnectionDataSource(connection, true)) {
            // An index over years takes longer than a request may. The pool resets the timeout.
            connection.setNetworkTimeout(Runnable::run, 0);
            Flyway.configure()
                    .configuration(flyway.getConfiguration())
                    .dataSource(one)
                    .load()
                    .migrate();
        } catch (SQLException e) {
            throw new IllegalStateException("The database gives no connection", e);
        }
    }
}
