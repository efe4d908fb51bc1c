package org.leasehold.runtime;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(ProbeSettings.class)
class ProbeConfiguration {

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
