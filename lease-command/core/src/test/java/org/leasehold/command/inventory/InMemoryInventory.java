package org.leasehold.command.inventory;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.calendar.stored.InMemoryTables;
import org.leasehold.command.calendar.stored.InMemoryTables.Listed;
import org.leasehold.command.execution.AggregateDefinition;
import org.leasehold.inventory.PropertyVisibility;
import org.leasehold.inventory.ResourceCommand;
import org.leasehold.inventory.ResourceCommand.ChangeResource;
import org.leasehold.inventory.ResourceCommand.DisableResource;
import org.leasehold.inventory.ResourceCommand.EnableResource;
import org.leasehold.inventory.ResourceCommand.EnrolResource;
import org.leasehold.inventory.ResourceCommand.ReportAttributes;
import org.leasehold.inventory.ResourceCommand.ReportOutage;
import org.leasehold.inventory.ResourceCommand.RetireResource;
import org.leasehold.inventory.ResourceEvent;
import org.leasehold.inventory.ResourceEvent.ResourceChanged;
import org.leasehold.inventory.ResourceEvent.ResourceDescribed;
import org.leasehold.inventory.ResourceEvent.ResourceDisabled;
import org.leasehold.inventory.ResourceEvent.ResourceEnabled;
import org.leasehold.inventory.ResourceEvent.ResourceEnrolled;
import org.leasehold.inventory.ResourceEvent.ResourceRetired;
import org.leasehold.inventory.ResourceId;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The inventory of the simulation, in the tables of its calendar. */
public final class InMemoryInventory implements Inventory {

    private final InMemoryTables tables;

    public InMemoryInventory(InMemoryTables tables) {
        this.tables = tables;
    }

    /** Returns the aggregates that need an inventory, with this one. */
    public List<AggregateDefinition<?>> shells() {
        InventoryConfiguration configuration = new InventoryConfiguration();
        return List.of(configuration.resourceShell(this), configuration.propertyShell(this));
    }

    @Override
    public ResourceConstraints readConstraints(ResourceCommand command, Instant now) {
        return switch (command) {
            case EnrolResource enrol -> new ResourceConstraints(nameTaken(enrol), List.of());
            case ChangeResource _,
                    DisableResource _,
                    EnableResource _,
                    ReportAttributes _,
                    ReportOutage _,
                    RetireResource _ ->
                    new ResourceConstraints(false, reliances(command.resourceId(), now));
        };
    }

    private boolean nameTaken(EnrolResource command) {
        return tables.resources().values().stream()
                .anyMatch(r -> r.kind().equals(command.kind()) && r.name().equals(command.name()));
    }

    private record Since(Instant since, ResourceConstraints.Reliance reliance) {}

    private List<ResourceConstraints.Reliance> reliances(ResourceId resource, Instant now) {
        Stream<Since> promised =
                tables.claims().getOrDefault(resource, List.of()).stream()
                        .filter(c -> c.during().end().isAfter(now))
                        .map(
                                c ->
                                        new Since(
                                                c.during().start(),
                                                new ResourceConstraints.Reliance(
                                                        c.lease(), c.reliesOn())));
        Stream<Since> held =
                tables.holders().getOrDefault(resource, List.of()).stream()
                        .map(
                                h ->
                                        new Since(
                                                h.since(),
                                                new ResourceConstraints.Reliance(
                                                        h.lease(), java.util.Set.of())));
        return Stream.concat(promised, held)
                .sorted(
                        Comparator.comparing(Since::since)
                                .thenComparing(s -> s.reliance().lease().toString()))
                .map(Since::reliance)
                .toList();
    }

    @Override
    public void record(ResourceEvent event, Instant now) {
        switch (event) {
            case ResourceEnrolled enrolled -> enrol(enrolled);
            case ResourceChanged changed -> change(changed);
            case ResourceDescribed described ->
                    tables.list(
                            present(described.resourceId())
                                    .described(said(described.attributes())));
            case ResourceDisabled(var id, var reason, _, _) ->
                    tables.list(present(id).serving(reason));
            case ResourceEnabled(var id) -> tables.list(present(id).serving(null));
            case ResourceRetired(var id) -> tables.unlist(id);
        }
    }

    private void enrol(ResourceEnrolled event) {
        tables.list(
                new Listed(
                        event.kind(),
                        event.resourceId(),
                        event.name(),
                        said(event.attributes()),
                        event.capabilities()));
    }

    /** Returns the attributes that are not null. */
    private static Map<String, ?> said(Map<String, @Nullable Object> attributes) {
        Map<String, @Nullable Object> said = new TreeMap<>(attributes);
        said.values().removeIf(Objects::isNull);
        return said;
    }

    private void change(ResourceChanged event) {
        Listed before = present(event.resourceId());
        Map<String, String> capabilities = new TreeMap<>(before.capabilities());
        capabilities.putAll(event.set());
        capabilities.keySet().removeAll(event.removed());
        tables.list(before.labelled(capabilities));
    }

    private Listed present(ResourceId id) {
        return Objects.requireNonNull(tables.resources().get(id));
    }

    /** Ignores the visibility, which the simulation never reads. */
    @Override
    public void record(PropertyVisibility visibility, Instant now) {}
}
