package org.leasehold.command.lease;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Planning;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.host.HostPlanning;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** The only plug-in of these tests, which plans hosts and never acts. */
public final class HostOnlyPlugins implements Plugins {

    private static final Planning PLANNING = new HostPlanning();

    public static Map<String, @Nullable Object> parameters(int min, int max) {
        Map<String, @Nullable Object> wished = new LinkedHashMap<>();
        wished.put("min", min);
        wished.put("max", max);
        wished.put("hypervisor_properties", "");
        wished.put("resource_properties", "");
        return ((Planning.Plan.Planned) PLANNING.plan(wished)).parameters();
    }

    @Override
    public Optional<ResourcePlugin> find(ResourceKind kind) {
        return kind.equals(ResourceKind.PHYSICAL_HOST)
                ? Optional.of(new Hosts())
                : Optional.empty();
    }

    @Override
    public SortedSet<String> kinds() {
        return new TreeSet<>(java.util.List.of(ResourceKind.PHYSICAL_HOST.value()));
    }

    private static final class Hosts implements ResourcePlugin {

        @Override
        public ResourceKind kind() {
            return ResourceKind.PHYSICAL_HOST;
        }

        @Override
        public Planning planning() {
            return PLANNING;
        }

        @Override
        public Acting acting() {
            throw new AssertionError("deciding touches no cloud");
        }
    }
}
