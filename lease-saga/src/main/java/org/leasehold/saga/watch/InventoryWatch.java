package org.leasehold.saga.watch;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.CommandContext;
import org.leasehold.command.Commands;
import org.leasehold.inventory.ResourceCommand;
import org.leasehold.inventory.ResourceCommand.ReportAttributes;
import org.leasehold.inventory.ResourceCommand.ReportOutage;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseId;
import org.leasehold.query.ResourceView;
import org.leasehold.query.Resources;
import org.leasehold.query.Resources.Holding;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Acting.Discovery.Found;
import org.leasehold.resource.Acting.Inventory;
import org.leasehold.resource.Plugins;
import org.leasehold.saga.node.Node;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.springframework.scheduling.annotation.Scheduled;

import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Keeps the inventory as the cloud says that it is. Resources that the cloud cannot give go out of
 * service, and come back when it can; what an operator took out of service stays so.
 *
 * <p>Every node looks: the second one to notice has nothing to do.
 */
final class InventoryWatch {

    private static final Logger LOG = LoggerFactory.getLogger(InventoryWatch.class);

    private final Plugins plugins;
    private final Resources resources;
    private final Commands commands;
    private final Clock clock;
    private final Node node;

    InventoryWatch(
            Plugins plugins, Resources resources, Commands commands, Clock clock, Node node) {
        this.plugins = plugins;
        this.resources = resources;
        this.commands = commands;
        this.clock = clock;
        this.node = node;
    }

    @Scheduled(fixedDelayString = "${leasehold.saga.watching:30s}")
    void look() {
        if (node.works()) {
            plugins.kinds().stream().map(ResourceKind::new).forEach(this::look);
        }
    }

    private void look(ResourceKind kind) {
        List<ResourceView> enrolled = resources.list(kind);
        if (enrolled.isEmpty()) {
            return;
        }
        Acting acting = plugins.find(kind).orElseThrow().acting();
        switch (acting.inventory(enrolled.stream().map(ResourceView::name).toList())) {
            case Inventory.Unknown(var fault) ->
                    LOG.atWarn()
                            .addKeyValue("kind", kind)
                            .log("The cloud does not tell what it can give: {}", fault.message());
            case Inventory.Known(var outages, var found) ->
                    enrolled.forEach(
                            resource -> {
                                // What returns is known before it is given.
                                describe(resource, found.get(resource.name()));
                                serve(resource, outages.get(resource.name()));
                            });
        }
    }

    /** As far as the view tells. What has happened since, the resource itself knows. */
    private void describe(ResourceView resource, @Nullable Found found) {
        if (found == null) {
            return;
        }
        ReportAttributes report =
                new ReportAttributes(
                        resource.id(), found.region(), found.zone(), found.attributes());
        Set<String> differences =
                report.differences(resource.region(), resource.zone(), resource.attributes());
        if (differences.isEmpty()) {
            return;
        }
        List<LeaseId> leases = leasesOn(resource);
        // Nobody loses what was promised; whether there still is as much of it is not known here.
        LOG.atLevel(leases.isEmpty() ? Level.INFO : Level.WARN)
                .addKeyValue("resource_id", resource.id())
                .addKeyValue("name", resource.name())
                .addKeyValue("properties", differences)
                .addKeyValue("leases", leases)
                .log("The cloud says something else of a resource than before");
        send(report);
    }

    private List<LeaseId> leasesOn(ResourceView resource) {
        return resources
                .allocations(resource.kind(), resource.id(), null, null, clock.instant())
                .stream()
                .flatMap(calendar -> calendar.holdings().stream())
                .map(Holding::lease)
                .distinct()
                .toList();
    }

    private void serve(ResourceView resource, @Nullable String outage) {
        ReportOutage report = new ReportOutage(resource.id(), outage);
        if (report.changes(resource.disabledReason())) {
            LOG.atInfo()
                    .addKeyValue("command", report)
                    .log("The cloud can give more resources than before, or fewer");
            send(report);
        }
    }

    private void send(ResourceCommand command) {
        // A rejection means that the resource was retired meanwhile.
        commands.send(
                command, CommandContext.engine(clock.instant(), "req-" + UUID.randomUUID(), null));
    }
}
