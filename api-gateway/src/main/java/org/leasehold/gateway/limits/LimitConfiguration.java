package org.leasehold.gateway.limits;

import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.apache.tomcat.util.threads.VirtualThreadExecutor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(LimitSettings.class)
class LimitConfiguration {

    /** Around every filter that may refuse a request. */
    @Bean
    FilterRegistrationBean<LimitFilter> limitFilter(ObjectProvider<LimitListener> listener) {
        var registration =
                new FilterRegistrationBean<>(
                        new LimitFilter(listener.getIfAvailable(() -> _ -> {})));
        registration.setOrder(Ordered.HIGHEST_PRECEDENCE + 6);
        return registration;
    }

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
