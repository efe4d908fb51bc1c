package org.leasehold.runtime;

import org.leasehold.resource.PluginRegistry;
import org.leasehold.runtime.database.DatabaseAddress;
import org.leasehold.runtime.plugin.PluginFolder;
import org.leasehold.runtime.setting.InvalidSettingException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.Environment;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

@Configuration(proxyBeanMethods = false)
class PluginConfiguration {

    static final String PREFIX = "leasehold.plugins";

    private static final ConfigurationPropertyName FOLDER =
            ConfigurationPropertyName.of(PluginFolder.SETTING);

    private static final String SIMULATOR = "simulator";
    private static final List<String> SIMULATED_PLUGINS =
            List.of(
                    SIMULATOR,
                    "simulated-instances",
                    "simulated-flavors",
                    "simulated-floatingips",
                    "simulated-networks",
                    "simulated-volumes",
                    "simulated-servers",
                    "simulated-stacks");
    static final String HOSTS_PLUGIN = "openstack-hosts";
    private static final List<String> INSTANCE_PLUGINS =
            List.of("openstack-instances", "openstack-flavors");
    private static final List<String> OPENSTACK_PLUGINS =
            Stream.concat(
                            Stream.of(
                                    HOSTS_PLUGIN,
                                    "openstack-floatingips",
                                    "openstack-networks",
                                    "openstack-volumes",
                                    "openstack-servers",
                                    "openstack-stacks"),
                            INSTANCE_PLUGINS.stream())
                    .toList();
    private static final String ENABLED = "enabled";
    private static final Map<String, String> DISABLED = Map.of(ENABLED, "false");

    @Bean
    PluginRegistry plugins(Environment environment, DatabaseAddress database) {
        Map<String, Map<String, String>> settings = realCloudSettings(environment);
        Map<String, String> cloud = simulatedCloudSettings(environment, settings, database);
        SIMULATED_PLUGINS.forEach(
                name -> {
                    Map<String, String> own = new LinkedHashMap<>(cloud);
                    own.putAll(settings.getOrDefault(name, Map.of()));
                    settings.put(name, own);
                });
        return load(environment, settings);
    }

    /** Returns the plug-ins without those of the simulated cloud, which needs the database. */
    static PluginRegistry loadRealCloud(Environment environment) {
        Map<String, Map<String, String>> settings = realCloudSettings(environment);
        SIMULATED_PLUGINS.forEach(name -> settings.put(name, DISABLED));
        return load(environment, settings);
    }

    private static Map<String, Map<String, String>> realCloudSettings(Environment environment) {
        Map<String, Map<String, String>> settings = settings(environment);
        // Instances are leased on real hosts if real hosts are enabled.
        Map<String, String> asHosts =
                Map.of(ENABLED, String.valueOf(isEnabled(settings, HOSTS_PLUGIN)));
        INSTANCE_PLUGINS.forEach(name -> settings.putIfAbsent(name, asHosts));
        OPENSTACK_PLUGINS.forEach(
                name ->
                        settings.put(
                                name,
                                addCloudSettings(
                                        environment, settings.getOrDefault(name, DISABLED))));
        return settings;
    }

    private static PluginRegistry load(
            Environment environment, Map<String, Map<String, String>> settings) {
        ClassLoader engine = Thread.currentThread().getContextClassLoader();
        String folder = environment.getProperty(PluginFolder.SETTING);
        ClassLoader loader =
                folder == null || folder.isEmpty()
                        ? engine
                        : PluginFolder.loader(Path.of(folder), engine);
        try {
            return PluginRegistry.load(loader, settings);
        } catch (IllegalStateException broken) {
            Throwable cause = broken.getCause();
            // An Error is a plug-in that was built for another version of the engine.
            if (cause == null
                    || cause instanceof IllegalArgumentException
                    || cause instanceof Error) {
                throw new InvalidSettingException(String.valueOf(broken.getMessage()), broken);
            }
            throw broken;
        }
    }

    /**
     * Returns the settings of the simulated cloud. All its plug-ins share one cloud, which has its
     * own schema and its own connections.
     */
    private static Map<String, String> simulatedCloudSettings(
            Environment environment,
            Map<String, Map<String, String>> settings,
            DatabaseAddress database) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put(ENABLED, String.valueOf(isSimulated(environment)));
        all.put("url", database.url());
        all.put("user", database.user());
        all.put("password", database.password());
        all.putAll(settings.getOrDefault(SIMULATOR, Map.of()));
        return all;
    }

    /**
     * Returns true unless a plug-in of a real cloud is configured. The engine never mixes simulated
     * and real resources.
     */
    static boolean isSimulated(Environment environment) {
        Map<String, Map<String, String>> settings = settings(environment);
        return OPENSTACK_PLUGINS.stream().noneMatch(name -> isEnabled(settings, name));
    }

    private static boolean isEnabled(Map<String, Map<String, String>> settings, String name) {
        return !"false".equals(settings.getOrDefault(name, DISABLED).get(ENABLED));
    }

    /** Adds the settings of the cloud to the plug-in's own. */
    private static Map<String, String> addCloudSettings(
            Environment environment, Map<String, String> own) {
        Map<String, String> all = CloudConfiguration.settings(environment);
        all.putAll(own);
        return all;
    }

    private static Map<String, Map<String, String>> settings(Environment environment) {
        return new LinkedHashMap<>(
                pluginBinder(environment).bind(PREFIX, settingsType()).orElseGet(Map::of));
    }

    /** Returns a binder that hides the folder, a setting without a plug-in's name. */
    private static Binder pluginBinder(Environment environment) {
        List<ConfigurationPropertySource> sources = new ArrayList<>();
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            sources.add(source.filter(name -> !name.equals(FOLDER)));
        }
        return new Binder(sources, new PropertySourcesPlaceholdersResolver(environment));
    }

    private static Bindable<Map<String, Map<String, String>>> settingsType() {
        return Bindable.of(
                ResolvableType.forClassWithGenerics(
                        Map.class,
                        ResolvableType.forClass(String.class),
                        ResolvableType.forClassWithGenerics(
                                Map.class, String.class, String.class)));
    }
}
