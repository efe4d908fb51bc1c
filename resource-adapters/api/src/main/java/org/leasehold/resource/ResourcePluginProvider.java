package org.leasehold.resource;

import java.util.Map;

/**
 * Makes a plugin. Found on the class path through {@link java.util.ServiceLoader}, so that a kind
 * of resource can be added without touching the engine.
 */
public interface ResourcePluginProvider {

    /** The plugin's name in the configuration: {@code leasehold.plugins.<name>.*}. */
    String name();

    /**
     * Makes the plugin.
     *
     * @param settings the values below {@code leasehold.plugins.<name>}, without that prefix
     * @throws IllegalArgumentException if a setting is unknown or invalid; names it
     */
    ResourcePlugin create(Map<String, String> settings);
}
