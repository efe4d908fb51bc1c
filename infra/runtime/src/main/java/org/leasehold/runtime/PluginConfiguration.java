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
    private static final String SIMULATED_INSTANCES = "simulator-instances";
    private static final String OPENSTACK_HOSTS = "openstack-hosts";
    private static final String ENABLED = "enabled";
    private static final Map<String, String> OFF = Map.of(ENABLED, "false");

    @Bean
    PluginRegistry plugins(Environment environment, DatabaseAddress database) {
        Map<String, Map<String, String>> settings = settings(environment);
        settings.put(OPENSTACK_HOSTS, openStackHosts(environment, settings));
        Map<String, String> simulator =
                new LinkedHashMap<>(settings.getOrDefault(SIMULATOR, Map.of()));
        simulator.putIfAbsent(ENABLED, String.valueOf(isSimulated(environment)));
        // The simulated cloud lives in a schema of its own, through connections of its own.
        simulator.putIfAbsent("url", database.url());
        simulator.putIfAbsent("user", database.user());
        simulator.putIfAbsent("password", database.password());
        settings.put(SIMULATOR, simulator);
        // Instances lie on the same simulated hosts.
        Map<String, String> instances = new LinkedHashMap<>(simulator);
        instances.putAll(settings.getOrDefault(SIMULATED_INSTANCES, Map.of()));
        settings.put(SIMULATED_INSTANCES, instances);
        return PluginRegistry.load(Thread.currentThread().getContextClassLoader(), settings);
    }

    /** Whoever sets anything of the real hosts wants those, and everybody else the simulated. */
    static boolean isSimulated(Environment environment) {
        Map<String, String> real = settings(environment).getOrDefault(OPENSTACK_HOSTS, OFF);
        return "false".equals(real.get(ENABLED));
    }

    /** Beside its own settings it needs those of the cloud. */
    private static Map<String, String> openStackHosts(
            Environment environment, Map<String, Map<String, String>> settings) {
        Map<String, String> own = settings.getOrDefault(OPENSTACK_HOSTS, OFF);
        Map<String, String> all = CloudConfiguration.settings(environment);
        all.putAll(own);
        return all;
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
