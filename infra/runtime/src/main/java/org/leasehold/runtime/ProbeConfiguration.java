package org.leasehold.runtime;

import org.leasehold.history.VitalThreads;
import org.leasehold.runtime.NodeSettings.Role;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.jdbc.health.DataSourceHealthIndicator;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import java.util.List;
import java.util.Optional;

import javax.sql.DataSource;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(ProbeSettings.class)
class ProbeConfiguration {

    @Bean
    VitalHealth vital(List<VitalThreads> parts) {
        return new VitalHealth(parts);
    }

    /** Replaces the one of Spring Boot, with which each question takes a connection. */
    @Bean
    HealthIndicator dbHealthIndicator(DataSource dataSource) {
        return new SharedHealth(new DataSourceHealthIndicator(dataSource));
    }

    @Bean
    WriteWatch writeWatch() {
        return new WriteWatch(System::nanoTime);
    }

    /** A node that takes no commands writes nothing, and may be on a replica. */
    @Bean
    WriteHealth writes(WriteWatch watch, DataSource database, NodeSettings node) {
        return new WriteHealth(
                watch,
                node.has(Role.COMMAND) ? new WriteTrial(database) : Optional::empty,
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
