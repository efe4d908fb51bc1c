package org.example.parking;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Planning;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.ResourcePluginProvider;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeSet;

/** Creates the plug-in. Its one setting is {@code file}, the path of the parking log. */
public final class ParkingProvider implements ResourcePluginProvider {

    static final ResourceKind KIND = new ResourceKind("sample:parking-space");

    private static final String FILE = "file";

    @Override
    public String name() {
        return "parking";
    }

    @Override
    public ResourcePlugin create(Map<String, String> settings) {
        TreeSet<String> unknown = new TreeSet<>(settings.keySet());
        unknown.remove(FILE);
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException("unknown settings: " + unknown);
        }
        @Nullable String file = settings.get(FILE);
        if (file == null || file.isBlank()) {
            throw new IllegalArgumentException("the setting file is missing");
        }
        return new Parking(new ParkingPlanning(), new ParkingActing(new ParkingLog(Path.of(file))));
    }

    private record Parking(Planning planning, Acting acting) implements ResourcePlugin {
        @Override
        public ResourceKind kind() {
            return KIND;
        }
    }
}
