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

    @Bean
    PluginRegistry plugins(Environment environment, DatabaseAddress database) {
        Map<String, Map<String, String>> settings =
                new LinkedHashMap<>(
                        Binder.get(environment).bind(PREFIX, byPlugin()).orElseGet(Map::of));
        Map<String, String> simulator =
                new LinkedHashMap<>(settings.getOrDefault(SIMULATOR, Map.of()));
        // The simulated cloud lives in a schema of its own, through connections of its own.
        simulator.putIfAbsent("url", database.url());
        simulator.putIfAbsent("user", database.user());
        simulator.putIfAbsent("password", database.password());
        settings.put(SIMULATOR, simulator);
        return PluginRegistry.load(Thread.currentThread().getContextClassLoader(), settings);
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
