package org.leasehold.query.resource;

import org.leasehold.history.EventStreams;
import org.leasehold.history.RecordedEvent;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.resource.PastInventory;
import org.leasehold.readmodel.resource.ResourceView;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The past state of one resource or property, computed from its few events for each query. */
final class PostgresPastInventory implements PastInventory {

    private final JdbcTemplate jdbc;
    private final EventStreams streams;

    PostgresPastInventory(JdbcTemplate jdbc, EventStreams streams) {
        this.jdbc = jdbc;
        this.streams = streams;
    }

    @Override
    public Optional<ResourceView> resource(ResourceId id, long asOf) {
        return Optional.ofNullable(inventoryAsOf(id.toString(), asOf).resources().get(id))
                .filter(row -> !row.state().equals("RETIRED"))
                .map(row -> row.view(id));
    }

    @Override
    public Visibility visibility(ResourceKind kind, String property, long asOf) {
        return inventoryAsOf(kind + "/" + property, asOf).properties().values().stream()
                .findFirst()
                .map(row -> new Visibility(row.hidden(), row.updatedAt()))
                .orElse(new Visibility(false, null));
    }

    private InventoryFold inventoryAsOf(String stream, long asOf) {
        ConnectionCallback<List<RecordedEvent>> life =
                connection -> streams.read(connection, stream, asOf);
        InventoryFold inventory = new InventoryFold();
        Objects.requireNonNull(jdbc.execute(life)).forEach(inventory::apply);
        return inventory;
    }
}
