package org.example.parking;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.ResourcePluginContract;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The plug-in against the rules on which the engine relies. */
class ParkingContractTest extends ResourcePluginContract {

    @TempDir private Path folder;
    private ResourcePlugin plugin;

    @BeforeEach
    void open() {
        String log = folder.resolve("parking.log").toString();
        plugin = new ParkingProvider().create(Map.of("file", log));
    }

    @Override
    protected ResourcePlugin plugin() {
        return plugin;
    }

    @Override
    protected List<String> resourceNames() {
        return List.of("space-1", "space-2", "space-3");
    }

    @Override
    protected String unknownName() {
        return "space-101";
    }

    @Override
    protected Map<String, @Nullable Object> parameters() {
        return Map.of("amount", 2);
    }

    @Override
    protected Map<String, @Nullable Object> changes() {
        return Map.of("amount", 3);
    }
}
