package org.leasehold.runtime.health;

import org.leasehold.history.EventLogTail;
import org.leasehold.history.VitalThreads;
import org.leasehold.runtime.node.NodeSettings;
import org.leasehold.runtime.node.NodeSettings.Role;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.jdbc.health.DataSourceHealthIndicator;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.dao.DataAccessException;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import javax.sql.DataSource;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(ProbeSettings.class)
class ProbeConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(ProbeConfiguration.class);

    @Bean
    VitalThreadHealth vital(List<VitalThreads> parts) {
        return new VitalThreadHealth(parts);
    }

    /** Replaces Spring Boot's indicator, which takes a connection for each probe. */
    @Bean
    HealthIndicator dbHealthIndicator(DataSource dataSource) {
        return new SingleFlightHealth(new DataSourceHealthIndicator(dataSource));
    }

    @Bean
    LastWriteOutcome writeWatch(ObjectProvider<EventLogTail> tail) {
        return new LastWriteOutcome(System::nanoTime, () -> lastPosition(tail.getObject()));
    }

    /** Returns the last position. If it is unknown, no later position shows a write. */
    private static long lastPosition(EventLogTail tail) {
        try {
            return tail.awaitEventAfter(0, Duration.ZERO);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return Long.MAX_VALUE;
        } catch (DataAccessException e) {
            LOG.atDebug().setCause(e).log("The position of the last event is unknown");
            return Long.MAX_VALUE;
        }
    }

    /** Returns the health of writes. A node without commands may be on a replica. */
    @Bean
    WriteHealth writes(LastWriteOutcome watch, DataSource database, NodeSettings node) {
        return new WriteHealth(
                watch,
                node.has(Role.COMMAND) ? new WritabilityCheck(database) : Optional::empty,
                System::nanoTime);
    }

    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> probePort(ProbeSettings settings) {
        return server -> {
            if (settings.hasPort()) {
                ProbePort port = new ProbePort(settings);
                server.addEngineValves(port);
                server.addAdditionalConnectors(port.connector());
            }
        };
    }
}
