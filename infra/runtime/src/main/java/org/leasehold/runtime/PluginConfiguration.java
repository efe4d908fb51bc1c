package org.leasehold.runtime;

import org.leasehold.resource.PluginRegistry;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.Environment;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

@Configuration(proxyBeanMethods = false)
class PluginConfiguration {

    static final String PREFIX = "leasehold.plugins";

    private static final List<String> SIMULATED = List.of("simulator", "simulated-floatingips");
    private static final List<String> OPENSTACK =
            List.of("openstack-hosts", "openstack-floatingips");
    private static final String ENABLED = "enabled";
    private static final Map<String, String> OFF = Map.of(ENABLED, "false");

    @Bean
    PluginRegistry plugins(Environment environment, DatabaseAddress database) {
        Map<String, Map<String, String>> settings = settings(environment);
        OPENSTACK.forEach(
                name ->
                        settings.put(
                                name, openStack(environment, settings.getOrDefault(name, OFF))));
        boolean simulated = isSimulated(environment);
        SIMULATED.forEach(
                name ->
                        settings.put(
                                name,
                                simulator(
                                        settings.getOrDefault(name, Map.of()),
                                        simulated,
                                        database)));
        return PluginRegistry.load(Thread.currentThread().getContextClassLoader(), settings);
    }

    /** The simulated cloud lives in a schema of its own, through connections of its own. */
    private static Map<String, String> simulator(
            Map<String, String> own, boolean enabled, DatabaseAddress database) {
        Map<String, String> all = new LinkedHashMap<>(own);
        all.putIfAbsent(ENABLED, String.valueOf(enabled));
        all.putIfAbsent("url", database.url());
        all.putIfAbsent("user", database.user());
        all.putIfAbsent("password", database.password());
        return all;
    }

    /**
     * Whoever sets anything of a real cloud's resources wants those, and everybody else simulated
     * ones; nobody both.
     */
    static boolean isSimulated(Environment environment) {
        Map<String, Map<String, String>> settings = settings(environment);
        return OPENSTACK.stream()
                .allMatch(name -> "false".equals(settings.getOrDefault(name, OFF).get(ENABLED)));
    }

    /** Beside its own settings it needs those of the cloud. */
    private static Map<String, String> openStack(Environment environment, Map<String, String> own) {
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
