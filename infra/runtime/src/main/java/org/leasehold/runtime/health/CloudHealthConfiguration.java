package org.leasehold.runtime.health;

import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.CloudCheck;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.openstack.identity.KeystoneIdentities;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.backoff.ExponentialBackOff;

import java.time.Duration;
import java.util.TreeMap;
import java.util.function.Supplier;

@Configuration(proxyBeanMethods = false)
class CloudHealthConfiguration {

    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    @Bean
    CloudHealth cloud(Plugins plugins, ObjectProvider<KeystoneIdentities> keystone) {
        TreeMap<String, Supplier<CloudCheck>> checks = new TreeMap<>();
        plugins.kinds()
                .forEach(
                        kind ->
                                plugins.find(new ResourceKind(kind))
                                        .ifPresent(plugin -> checks.put(kind, plugin::check)));
        keystone.ifAvailable(identities -> checks.put("keystone", identities::check));
        ExponentialBackOff pauses = new ExponentialBackOff(FIRST_PAUSE.toMillis(), 2);
        pauses.setMaxInterval(LONGEST_PAUSE.toMillis());
        return new CloudHealth(checks, pauses);
    }
}
