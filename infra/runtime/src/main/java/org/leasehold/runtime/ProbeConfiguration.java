package org.leasehold.runtime;

import org.leasehold.history.VitalThreads;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import java.util.List;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(ProbeSettings.class)
class ProbeConfiguration {

    @Bean
    VitalHealth vital(List<VitalThreads> parts) {
        return new VitalHealth(parts);
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
