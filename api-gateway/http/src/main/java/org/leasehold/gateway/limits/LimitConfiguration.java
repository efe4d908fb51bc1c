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
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(LimitSettings.class)
class LimitConfiguration {

    /** Registers the filter outside every filter that may reject a request. */
    @Bean
    FilterRegistrationBean<LimitReportFilter> limitFilter(ObjectProvider<LimitListener> listener) {
        var registration =
                new FilterRegistrationBean<>(
                        new LimitReportFilter(listener.getIfAvailable(() -> _ -> {})));
        registration.setOrder(Ordered.HIGHEST_PRECEDENCE + 6);
        return registration;
    }

    @Bean
    WebMvcConfigurer longReads() {
        return new WebMvcConfigurer() {
            @Override
            public void addInterceptors(InterceptorRegistry registry) {
                registry.addInterceptor(new LongReadInterceptor());
            }
        };
    }

    @Bean
    BulkReadPacer bulkReadPacer(ObjectProvider<EngineActivity> engine) {
        return new BulkReadPacer(engine.getIfAvailable(() -> () -> false));
    }

    /**
     * Serves each request on a virtual thread, so a request that waits for its client blocks no
     * other. Limits per caller restrict how many requests are served at the same time.
     */
    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> patientServer() {
        return server -> {
            server.addEngineValves(new UnreadBodyValve());
            server.addProtocolHandlerCustomizers(
                    protocol -> protocol.setExecutor(new VirtualThreadExecutor("http-")));
            server.addConnectorCustomizers(
                    connector -> {
                        if (connector.getProtocolHandler() instanceof AbstractHttp11Protocol<?> p) {
                            // With "Expect: 100-continue" an error comes before the body is sent.
                            p.setContinueResponseTiming("onRead");
                        }
                    });
        };
    }
}
