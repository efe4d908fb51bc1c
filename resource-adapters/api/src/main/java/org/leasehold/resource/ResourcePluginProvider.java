package org.leasehold.resource;

import java.util.Map;

/**
 * A factory of a plug-in. {@link java.util.ServiceLoader} finds it on the class path, so you can
 * add a kind of resource without a change to the engine.
 */
public interface ResourcePluginProvider {

    /** Returns the plug-in's name in the configuration: {@code leasehold.plugins.<name>.*}. */
    String name();

    /**
     * Creates the plug-in.
     *
     * @param settings the values below {@code leasehold.plugins.<name>}, without that prefix
     * @throws IllegalArgumentException if a setting is unknown or invalid; names it
     */
    ResourcePlugin create(Map<String, String> settings);
}
