package org.leasehold.gateway.security;

import org.leasehold.gateway.request.error.Challenge;
import org.leasehold.gateway.request.error.ErrorResponseWriter;
import org.leasehold.resource.identity.Identities;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import java.net.URI;
import java.time.Clock;
import java.util.Objects;

/** Configuration of logins with a token of Keystone; the runtime provides Keystone's client. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(name = "leasehold.authentication.method", havingValue = "keystone")
class KeystoneConfiguration {

    @Bean
    Challenge challenge(AuthenticationSettings settings, Identities identities) {
        URI loginUrl = Objects.requireNonNullElseGet(settings.loginUrl(), identities::address);
        return Challenge.keystone(loginUrl.toString());
    }

    @Bean
    TokenCache tokenCache(Identities identities, AuthenticationSettings settings, Clock clock) {
        return new TokenCache(identities, settings, clock);
    }

    @Bean
    RevocationPoller revocationWatch(
            Identities identities, TokenCache cache, AuthenticationSettings settings) {
        RevocationPoller watch = new RevocationPoller(identities, cache);
        if (settings.revocationInterval().isPositive() && settings.cacheTime().isPositive()) {
            watch.start(settings.revocationInterval());
        }
        return watch;
    }

    @Bean
    TokenFilter tokenFilter(
            TokenCache cache, AuthenticationSettings settings, ErrorResponseWriter errors) {
        return new TokenFilter(cache, new KeystoneRoles(settings), errors);
    }

    /** Removes the filter from the server's chain; it belongs to that of the access rules only. */
    @Bean
    FilterRegistrationBean<TokenFilter> tokenFilterIsNoFilterOfTheServer(TokenFilter filter) {
        FilterRegistrationBean<TokenFilter> registration = new FilterRegistrationBean<>(filter);
        registration.setEnabled(false);
        return registration;
    }
}
