package org.leasehold.runtime;

import org.leasehold.resource.PluginRegistry;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.Environment;

import java.util.LinkedHashMap;
import java.util.Map;

@Configuration(proxyBeanMethods = false)
class PluginConfiguration {

    static final String PREFIX = "leasehold.plugins";

    private static final String SIMULATOR = "simulator";
    private static final String OPENSTACK_HOSTS = "openstack-hosts";
    private static final String OPENSTACK_INSTANCES = "openstack-instances";
    private static final String ENABLED = "enabled";
    private static final Map<String, String> OFF = Map.of(ENABLED, "false");

    @Bean
    PluginRegistry plugins(Environment environment, DatabaseAddress database) {
        Map<String, Map<String, String>> settings = settings(environment);
        settings.put(
                OPENSTACK_HOSTS,
                openStack(environment, settings.getOrDefault(OPENSTACK_HOSTS, OFF)));
        settings.put(OPENSTACK_INSTANCES, openStackInstances(environment, settings));
        Map<String, String> simulator =
                new LinkedHashMap<>(settings.getOrDefault(SIMULATOR, Map.of()));
        simulator.putIfAbsent(ENABLED, String.valueOf(isSimulated(environment)));
        // The simulated cloud lives in a schema of its own, through connections of its own.
        simulator.putIfAbsent("url", database.url());
        simulator.putIfAbsent("user", database.user());
        simulator.putIfAbsent("password", database.password());
        settings.put(SIMULATOR, simulator);
        return PluginRegistry.load(Thread.currentThread().getContextClassLoader(), settings);
    }

    /** Whoever sets anything of the real hosts wants those, and everybody else the simulated. */
    static boolean isSimulated(Environment environment) {
        Map<String, String> real = settings(environment).getOrDefault(OPENSTACK_HOSTS, OFF);
        return "false".equals(real.get(ENABLED));
    }

    /** Beside its own settings it needs those of the cloud. */
    private static Map<String, String> openStack(Environment environment, Map<String, String> own) {
        Map<String, String> all = CloudConfiguration.settings(environment);
        all.putAll(own);
        return all;
    }

    /** Instances are leased on the real hosts wherever those are. */
    private static Map<String, String> openStackInstances(
            Environment environment, Map<String, Map<String, String>> settings) {
        Map<String, String> own =
                new LinkedHashMap<>(settings.getOrDefault(OPENSTACK_INSTANCES, Map.of()));
        own.putIfAbsent(ENABLED, String.valueOf(!isSimulated(environment)));
        return openStack(environment, own);
    }

    private static Map<String, Map<String, String>> settings(Environment environment) {
        return new LinkedHashMap<>(
                Binder.get(environment).bind(PREFIX, byPlugin()).orElseGet(Map::of));
    }

    private static Bindable<Map<String, Map<String, String>>> byPlugin() {
        return Bindable.of(
                ResolvableType.forClassWithGenerics(
                        Map.class,
                        ResolvableType.forClass(String.class),
                        ResolvableType.forClassWithGenerics(
                                Map.class, String.class, String.class)));
    }
}
