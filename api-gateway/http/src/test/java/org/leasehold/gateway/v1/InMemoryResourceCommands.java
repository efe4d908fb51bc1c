package org.leasehold.gateway.v1;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceCommand;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceRejection;
import org.leasehold.readmodel.resource.ResourceView;

import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Carries out the commands to resources of the engine in memory. */
final class InMemoryResourceCommands {

    private final Clock clock;
    private final InMemoryResourceViews resources;

    InMemoryResourceCommands(Clock clock, InMemoryResourceViews resources) {
        this.clock = clock;
        this.resources = resources;
    }

    Optional<ResourceRejection> carryOut(ResourceCommand command) {
        return switch (command) {
            case ResourceCommand.EnrolResource enrol -> enrol(enrol);
            case ResourceCommand.ChangeResource change -> change(change);
            case ResourceCommand.RetireResource retire -> {
                resources.remove(retire.resourceId());
                yield Optional.empty();
            }
            case ResourceCommand.DisableResource disable ->
                    serve(disable.resourceId(), disable.reason());
            case ResourceCommand.EnableResource enable -> serve(enable.resourceId(), null);
            case ResourceCommand.ReportAttributes _ ->
                    throw new IllegalArgumentException("no request reports: " + command);
            case ResourceCommand.ReportOutage report -> serve(report.resourceId(), report.reason());
        };
    }

    private Optional<ResourceRejection> enrol(ResourceCommand.EnrolResource command) {
        if (resources.list(null).stream().anyMatch(r -> r.name().equals(command.name()))) {
            return Optional.of(
                    new ResourceRejection.AlreadyEnrolled(command.kind(), command.name()));
        }
        Optional<ResourceRejection> misnamed = misnamed(command.capabilities());
        if (misnamed.isEmpty()) {
            resources.put(
                    new ResourceView(
                            command.resourceId(),
                            command.kind(),
                            command.name(),
                            command.region(),
                            command.zone(),
                            true,
                            null,
                            command.attributes(),
                            command.capabilities(),
                            clock.instant(),
                            null));
            command.capabilities()
                    .keySet()
                    .forEach(name -> resources.putProperty(name, false, null));
        }
        return misnamed;
    }

    private Optional<ResourceRejection> change(ResourceCommand.ChangeResource command) {
        Optional<ResourceRejection> misnamed = misnamed(command.set());
        if (misnamed.isEmpty()) {
            ResourceView old = resources.find(command.resourceId()).orElseThrow();
            Map<String, String> capabilities = new TreeMap<>(old.capabilities());
            capabilities.putAll(command.set());
            capabilities.keySet().removeAll(command.removed());
            command.set().keySet().stream()
                    .filter(name -> !resources.hasProperty(name))
                    .forEach(name -> resources.putProperty(name, false, null));
            resources.put(
                    new ResourceView(
                            old.id(),
                            old.kind(),
                            old.name(),
                            old.region(),
                            old.zone(),
                            old.reservable(),
                            old.disabledReason(),
                            old.attributes(),
                            capabilities,
                            old.createdAt(),
                            clock.instant()));
        }
        return misnamed;
    }

    private Optional<ResourceRejection> serve(ResourceId id, @Nullable String reasonNotTo) {
        resources
                .find(id)
                .ifPresent(
                        old ->
                                resources.put(
                                        new ResourceView(
                                                old.id(),
                                                old.kind(),
                                                old.name(),
                                                old.region(),
                                                old.zone(),
                                                reasonNotTo == null,
                                                reasonNotTo,
                                                old.attributes(),
                                                old.capabilities(),
                                                old.createdAt(),
                                                clock.instant())));
        return Optional.empty();
    }

    private static Optional<ResourceRejection> misnamed(Map<String, String> capabilities) {
        return capabilities.keySet().stream()
                .filter(name -> name.isEmpty() || name.length() > 64)
                .findFirst()
                .map(
                        name ->
                                new ResourceRejection.InvalidCapability(
                                        name, "has 1 to 64 characters"));
    }
}
