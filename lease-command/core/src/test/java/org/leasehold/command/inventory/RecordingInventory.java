package org.leasehold.command.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import org.leasehold.inventory.PropertyVisibility;
import org.leasehold.inventory.ResourceCommand;
import org.leasehold.inventory.ResourceEvent;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** An inventory with a given situation that stores what it should record. */
final class RecordingInventory implements Inventory {

    ResourceConstraints standing = new ResourceConstraints(false, List.of());

    private final List<Object> recorded = new ArrayList<>();

    @Override
    public ResourceConstraints readConstraints(ResourceCommand command, Instant now) {
        return standing;
    }

    @Override
    public void record(ResourceEvent event, Instant now) {
        recorded.add(event);
    }

    @Override
    public void record(PropertyVisibility visibility, Instant now) {
        recorded.add(visibility);
    }

    void expect(Object... events) {
        assertThat(recorded).containsExactly(events);
    }
}
