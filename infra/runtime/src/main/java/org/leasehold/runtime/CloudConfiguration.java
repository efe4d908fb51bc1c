package org.leasehold.runtime;

import org.leasehold.gateway.security.AuthenticationSettings;
import org.leasehold.resource.openstack.CloudSettings;
import org.leasehold.resource.openstack.identity.KeystoneIdentities;
import org.leasehold.resource.openstack.identity.KeystoneProjects;
import org.leasehold.resource.openstack.identity.KeystoneTrusts;
import org.leasehold.runtime.setting.InvalidSettingException;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;

/** The OpenStack cloud that the engine works for, and the engine's user there. */
@Configuration(proxyBeanMethods = false)
class CloudConfiguration {

    static final String PREFIX = "leasehold.openstack";

    private static final String METHOD_SETTING = "leasehold.authentication.method";
    private static final String KEYSTONE = "keystone";
    private static final String DELETED_PROJECTS_SETTING = "leasehold.saga.of-deleted-projects";

    /**
     * Checks the settings that need Keystone.
     *
     * @throws InvalidSettingException if leases of deleted projects are to be deleted, and there is
     *     no Keystone that knows the deleted projects
     */
    CloudConfiguration(Environment environment) {
        if ("cancel".equalsIgnoreCase(environment.getProperty(DELETED_PROJECTS_SETTING))
                && !usesKeystone(environment)) {
            throw new InvalidSettingException(
                    DELETED_PROJECTS_SETTING + "=cancel needs " + METHOD_SETTING + "=" + KEYSTONE);
        }
    }

    @Bean
    @ConditionalOnProperty(name = METHOD_SETTING, havingValue = KEYSTONE)
    KeystoneIdentities identities(
            Environment environment, AuthenticationSettings authentication, Clock clock) {
        return new KeystoneIdentities(requestSettings(environment, authentication), clock);
    }

    @Bean
    @ConditionalOnProperty(name = METHOD_SETTING, havingValue = KEYSTONE)
    KeystoneTrusts trusts(
            Environment environment, AuthenticationSettings authentication, Clock clock) {
        return new KeystoneTrusts(requestSettings(environment, authentication), clock);
    }

    @Bean
    @ConditionalOnProperty(name = METHOD_SETTING, havingValue = KEYSTONE)
    KeystoneProjects projects(
            Environment environment, AuthenticationSettings authentication, Clock clock) {
        return new KeystoneProjects(requestSettings(environment, authentication), clock);
    }

    private static CloudSettings requestSettings(
            Environment environment, AuthenticationSettings authentication) {
        Map<String, String> settings = settings(environment);
        // A caller waits for the response; calls of plug-ins have more time.
        settings.put("call-timeout", authentication.timeout().toString());
        try {
            return CloudSettings.of(settings);
        } catch (IllegalArgumentException wrong) {
            throw new InvalidSettingException(PREFIX + ": " + wrong.getMessage(), wrong);
        }
    }

    /** Returns true if callers log in with Keystone, and so need no user of the engine. */
    static boolean usesKeystone(Environment environment) {
        return KEYSTONE.equalsIgnoreCase(environment.getProperty(METHOD_SETTING));
    }

    /** Returns the settings as they were given; the adapter checks them itself. */
    static Map<String, String> settings(Environment environment) {
        return new LinkedHashMap<>(
                Binder.get(environment)
                        .bind(PREFIX, Bindable.mapOf(String.class, String.class))
                        .orElseGet(Map::of));
    }
}
