package org.leasehold.gateway.limits;

import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.apache.tomcat.util.threads.VirtualThreadExecutor;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(LimitSettings.class)
class LimitConfiguration {

    /**
     * A request has a virtual thread: one that waits for its client takes nothing from others. How
     * many are served at once is limited where a caller is known.
     */
    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> patientServer() {
        return server -> {
            server.addEngineValves(new UnreadBodies());
            server.addProtocolHandlerCustomizers(
                    protocol -> protocol.setExecutor(new VirtualThreadExecutor("http-")));
            server.addConnectorCustomizers(
                    connector -> {
                        if (connector.getProtocolHandler() instanceof AbstractHttp11Protocol<?> p) {
                            // A client that asks before it sends a body first hears what is wrong.
                            p.setContinueResponseTiming("onRead");
                        }
                    });
        };
    }
}
