package org.leasehold.resource;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;

import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The enabled plug-ins on the class path. Any error in one of them stops the start: an engine that
 * silently lacks a kind of resource would fail its leases one by one.
 */
public final class PluginRegistry implements Plugins, AutoCloseable {

    private static final String ENABLED = "enabled";

    private final SortedMap<String, Entry> byKind = new TreeMap<>();

    private PluginRegistry() {}

    /**
     * Creates every plug-in whose provider the class loader finds and whose settings do not disable
     * it.
     *
     * @param settings by plug-in name; {@code enabled} (default true) is the registry's own
     *     setting, all others are the plug-in's
     * @throws IllegalStateException if a plug-in cannot be created; names the plug-in and the
     *     invalid setting
     */
    public static PluginRegistry load(
            ClassLoader loader, Map<String, ? extends Map<String, String>> settings) {
        SortedMap<String, ResourcePluginProvider> providers = providers(loader);
        settings.forEach(
                (name, ofPlugin) -> {
                    if (isEnabled(name, ofPlugin) && !providers.containsKey(name)) {
                        throw new IllegalStateException(
                                "There are settings for the plugin "
                                        + name
                                        + ", but it is not on the class path; known are "
                                        + providers.keySet());
                    }
                });
        PluginRegistry registry = new PluginRegistry();
        try {
            providers.forEach((name, provider) -> registry.add(provider, settings.get(name)));
            // Reports a cycle now; otherwise, leases of these kinds would never start.
            StartOrder.of(registry);
        } catch (IllegalStateException broken) {
            registry.close();
            throw broken;
        }
        return registry;
    }

    @Override
    public Optional<ResourcePlugin> find(ResourceKind kind) {
        return Optional.ofNullable(byKind.get(kind.value())).map(Entry::plugin);
    }

    @Override
    public SortedSet<String> kinds() {
        return Collections.unmodifiableSortedSet(new TreeSet<>(byKind.keySet()));
    }

    @Override
    public SortedMap<String, String> names() {
        SortedMap<String, String> names = new TreeMap<>();
        byKind.forEach((kind, entry) -> names.put(kind, entry.name()));
        return names;
    }

    @Override
    public void close() {
        List<Entry> entries = new ArrayList<>(byKind.values());
        byKind.clear();
        entries.forEach(entry -> entry.plugin().close());
    }

    private static SortedMap<String, ResourcePluginProvider> providers(ClassLoader loader) {
        SortedMap<String, ResourcePluginProvider> providers = new TreeMap<>();
        try {
            for (ResourcePluginProvider provider :
                    ServiceLoader.load(ResourcePluginProvider.class, loader)) {
                @Nullable ResourcePluginProvider other = providers.put(provider.name(), provider);
                if (other != null) {
                    throw new IllegalStateException(
                            "Two plugins are named %s: %s and %s"
                                    .formatted(
                                            provider.name(),
                                            other.getClass().getName() + origin(other),
                                            provider.getClass().getName() + origin(provider)));
                }
            }
        } catch (ServiceConfigurationError | LinkageError broken) {
            throw new IllegalStateException(
                    "A plugin cannot be loaded: " + broken.getMessage(), broken);
        }
        return providers;
    }

    /** Returns the name of the jar of a provider in parentheses; empty for the engine's own. */
    private static String origin(ResourcePluginProvider provider) {
        Class<?> type = provider.getClass();
        @Nullable CodeSource source = type.getProtectionDomain().getCodeSource();
        if (source == null || type.getClassLoader() == PluginRegistry.class.getClassLoader()) {
            return "";
        }
        String path = source.getLocation().getPath();
        return " (in " + path.substring(path.lastIndexOf('/') + 1) + ")";
    }

    private void add(ResourcePluginProvider provider, @Nullable Map<String, String> settings) {
        String name = provider.name();
        Map<String, String> own = new HashMap<>(settings == null ? Map.of() : settings);
        if (!isEnabled(name, own)) {
            return;
        }
        own.remove(ENABLED);
        Entry entry = create(provider, Map.copyOf(own));
        @Nullable Entry other = byKind.putIfAbsent(entry.kind().value(), entry);
        if (other != null) {
            entry.plugin().close();
            throw new IllegalStateException(
                    "The plugins %s and %s are both for %s; set enabled=false for one of them"
                            .formatted(
                                    other.name() + other.origin(),
                                    name + entry.origin(),
                                    entry.kind()));
        }
    }

    private static Entry create(ResourcePluginProvider provider, Map<String, String> settings) {
        String title = "The plugin " + provider.name() + origin(provider);
        try {
            ResourcePlugin plugin = provider.create(settings);
            return new Entry(provider.name(), origin(provider), plugin.kind(), plugin);
        } catch (RuntimeException broken) {
            throw new IllegalStateException(
                    title + " cannot start: " + broken.getMessage(), broken);
        } catch (LinkageError broken) {
            throw new IllegalStateException(
                    title + " does not fit this version of the engine: " + broken, broken);
        }
    }

    private static boolean isEnabled(String name, Map<String, String> settings) {
        String enabled = settings.getOrDefault(ENABLED, "true");
        return switch (enabled) {
            case "true" -> true;
            case "false" -> false;
            default ->
                    throw new IllegalStateException(
                            "The plugin %s has enabled=%s; it is either true or false"
                                    .formatted(name, enabled));
        };
    }

    private record Entry(String name, String origin, ResourceKind kind, ResourcePlugin plugin) {}
}
