package org.leasehold.gateway.security.access;

import org.leasehold.command.Commands;
import org.leasehold.command.DenialLog;
import org.leasehold.command.IdempotentResponses;
import org.leasehold.command.LeaseTrusts;
import org.leasehold.command.PrivilegedReadLog;
import org.leasehold.gateway.GatewaySettings;
import org.leasehold.gateway.NodeRoles;
import org.leasehold.gateway.NodeRoles.NodeRole;
import org.leasehold.gateway.command.CommandContextFactory;
import org.leasehold.gateway.command.IdempotencyFilter;
import org.leasehold.gateway.command.IdempotencyInterceptor;
import org.leasehold.gateway.command.LeaseSubmission;
import org.leasehold.gateway.command.RetirementCheck;
import org.leasehold.gateway.limits.FailedLoginLimiter;
import org.leasehold.gateway.limits.LimitSettings;
import org.leasehold.gateway.request.error.ErrorResponseWriter;
import org.leasehold.gateway.security.AuthenticationSettings;
import org.leasehold.gateway.security.CallerRevalidation;
import org.leasehold.gateway.security.FilterPropertyValidator;
import org.leasehold.gateway.security.PropertyRedaction;
import org.leasehold.gateway.security.TokenFilter;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.readmodel.resource.PropertyNames;
import org.leasehold.readmodel.resource.Resources;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.identity.Trusts;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.authentication.AuthenticationEventPublisher;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.config.observation.SecurityObservationSettings;
import org.springframework.security.crypto.factory.PasswordEncoderFactories;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.ExceptionTranslationFilter;
import org.springframework.security.web.authentication.www.BasicAuthenticationFilter;
import org.springframework.security.web.firewall.RequestRejectedHandler;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

import java.time.Clock;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(AuthenticationSettings.class)
class SecurityConfiguration {

    @Bean
    AccessPolicy policy(GatewaySettings settings) {
        return AccessPolicy.of(settings.blazar());
    }

    @Bean
    PropertyRedaction hiddenProperties(Resources resources) {
        return new PropertyRedaction(resources);
    }

    @Bean
    FilterPropertyValidator filterNames(
            PropertyNames names, Resources resources, PropertyRedaction hidden, Plugins plugins) {
        return new FilterPropertyValidator(names, resources, hidden, plugins);
    }

    @Bean
    CallerRevalidation lastingIdentity(ObjectProvider<TokenFilter> tokens) {
        return new CallerRevalidation(tokens.getIfAvailable());
    }

    @Bean
    CommandContextFactory commandContexts(Clock clock) {
        return new CommandContextFactory(clock);
    }

    /** Runs after the filter of bodies: the body is part of a request's identity. */
    @Bean
    FilterRegistrationBean<IdempotencyFilter> firstAnswers(
            IdempotentResponses kept, CommandContextFactory contexts, ErrorResponseWriter errors) {
        var registration =
                new FilterRegistrationBean<>(new IdempotencyFilter(kept, contexts, errors));
        registration.setOrder(1);
        return registration;
    }

    @Bean
    WebMvcConfigurer repeatedRequests(
            IdempotentResponses kept, CommandContextFactory contexts, ErrorResponseWriter errors) {
        return new WebMvcConfigurer() {
            @Override
            public void addInterceptors(InterceptorRegistry registry) {
                registry.addInterceptor(new IdempotencyInterceptor(kept, contexts, errors))
                        .order(1);
            }
        };
    }

    @Bean
    RetirementCheck retirementCheck(Plugins plugins, Resources resources, Clock clock) {
        return new RetirementCheck(plugins, resources, clock);
    }

    @Bean
    LeaseSubmission leaseCreation(
            Commands commands,
            Plugins plugins,
            ObjectProvider<LeaseTrusts> kept,
            ObjectProvider<Trusts> trusts,
            Clock clock) {
        return new LeaseSubmission(
                commands, plugins, kept.getIfAvailable(), trusts.getIfAvailable(), clock);
    }

    @Bean
    BasicAuthenticationProvider basicUsers(GatewaySettings settings, LimitSettings limits) {
        return new BasicAuthenticationProvider(
                settings.users(),
                PasswordEncoderFactories.createDelegatingPasswordEncoder(),
                new FailedLoginLimiter(limits.logins()),
                limits.logins().checksAtOnce());
    }

    @Bean
    DenialRecorder denials(
            CommandContextFactory contexts,
            Leases leases,
            DenialLog kept,
            ObjectProvider<NodeRoles> here) {
        return new DenialRecorder(contexts, leases, writesRecords(here) ? kept : null);
    }

    @Bean
    PrivilegedReadRecorder privilegedReadRecorder(
            CommandContextFactory contexts, PrivilegedReadLog log, ObjectProvider<NodeRoles> here) {
        return new PrivilegedReadRecorder(contexts, writesRecords(here) ? log : null);
    }

    /** Returns whether this node may write: a node that only queries may be on a replica. */
    private static boolean writesRecords(ObjectProvider<NodeRoles> here) {
        return here.getIfAvailable(() -> NodeRoles.ALL).roles().contains(NodeRole.COMMAND);
    }

    @Bean
    PolicyFilter policyFilter(
            AccessPolicy policy,
            ErrorResponseWriter errors,
            DenialRecorder denials,
            PrivilegedReadRecorder reads,
            ObjectProvider<NodeRoles> here) {
        return new PolicyFilter(
                policy, here.getIfAvailable(() -> NodeRoles.ALL), errors, denials, reads);
    }

    /** Removes the filter from the server's chain; it belongs to that of the access rules only. */
    @Bean
    FilterRegistrationBean<PolicyFilter> policyFilterRegistration(PolicyFilter filter) {
        FilterRegistrationBean<PolicyFilter> registration = new FilterRegistrationBean<>(filter);
        registration.setEnabled(false);
        return registration;
    }

    /**
     * Authenticates callers. The policy authorises them: it alone knows what exists, and also
     * answers unknown paths and wrong methods.
     */
    @Bean
    SecurityFilterChain securityFilterChain(
            HttpSecurity http,
            BasicAuthenticationProvider users,
            PolicyFilter policyFilter,
            ErrorResponseWriter errors,
            DenialRecorder denials,
            ObjectProvider<TokenFilter> tokens,
            ObjectProvider<AuthenticationEventPublisher> events) {
        LoginEntryPoint entryPoint = new LoginEntryPoint(users, errors, denials);
        // With a parent manager, a wrong password would be checked twice.
        ProviderManager logins = new ProviderManager(users);
        events.ifAvailable(logins::setAuthenticationEventPublisher);
        tokens.ifAvailable(
                filterOfTokens ->
                        http.addFilterBefore(filterOfTokens, BasicAuthenticationFilter.class));
        return http.authenticationManager(logins)
                .httpBasic(basic -> basic.authenticationEntryPoint(entryPoint))
                .exceptionHandling(handling -> handling.authenticationEntryPoint(entryPoint))
                .sessionManagement(s -> s.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                // Requests from other sites are rejected earlier, with or without a token.
                .csrf(AbstractHttpConfigurer::disable)
                .logout(AbstractHttpConfigurer::disable)
                .requestCache(AbstractHttpConfigurer::disable)
                .addFilterAfter(policyFilter, ExceptionTranslationFilter.class)
                .build();
    }

    /** Runs after the access rules at -100, and before the body is read at 0. */
    @Bean
    FilterRegistrationBean<RequestLimitFilter> shareFilter(
            LimitSettings limits, ErrorResponseWriter errors) {
        var registration =
                new FilterRegistrationBean<>(new RequestLimitFilter(limits.requests(), errors));
        registration.setOrder(-50);
        return registration;
    }

    /**
     * Turns off observations of security filters. Each request is observed as a whole; to observe
     * each filter, too, would cost more than the filters do.
     */
    @Bean
    SecurityObservationSettings securityObservations() {
        return SecurityObservationSettings.noObservations();
    }

    @Bean
    RequestRejectedHandler requestRejectedHandler(ErrorResponseWriter errors) {
        return (request, response, rejection) ->
                errors.writeError(request, response, 400, "The request is malformed.");
    }
}
