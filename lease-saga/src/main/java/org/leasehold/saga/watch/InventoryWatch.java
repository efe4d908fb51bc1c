package org.leasehold.saga.watch;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.CommandContext;
import org.leasehold.command.Commands;
import org.leasehold.inventory.Outage;
import org.leasehold.inventory.ResourceCommand;
import org.leasehold.inventory.ResourceCommand.ReportAttributes;
import org.leasehold.inventory.ResourceCommand.ReportOutage;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.query.ResourceView;
import org.leasehold.query.Resources;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Acting.Discovery.Found;
import org.leasehold.resource.Acting.Look;
import org.leasehold.resource.Plugins;
import org.leasehold.saga.node.Node;
import org.leasehold.saga.task.Tasks;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Clock;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
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

    /** At one look; the rest is described at the next ones. */
    static final int MOST_DESCRIBED = 50;

    private final Plugins plugins;
    private final Resources resources;
    private final Commands commands;
    private final Clock clock;
    private final Node node;
    private final StrayResources strays;
    private final Tasks tasks;

    /** Those whose cloud did not answer the last look. */
    private final Set<ResourceKind> silent = new HashSet<>();

    InventoryWatch(
            Plugins plugins,
            Resources resources,
            Commands commands,
            Clock clock,
            Node node,
            StrayResources strays,
            Tasks tasks) {
        this.plugins = plugins;
        this.resources = resources;
        this.commands = commands;
        this.clock = clock;
        this.node = node;
        this.strays = strays;
        this.tasks = tasks;
    }

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
            case Look.Unknown(var fault) -> {
                silent.add(kind);
                LOG.atWarn()
                        .addKeyValue("kind", kind)
                        .log("The cloud does not tell what it can give: {}", fault.message());
            }
            case Look.Known known -> {
                if (silent.remove(kind)) {
                    LOG.atInfo()
                            .addKeyValue("kind", kind)
                            .log("The cloud answers again: what waited for it is tried now");
                    tasks.hasten();
                }
                note(enrolled, known);
            }
        }
    }

    /**
     * What returns is known before it is given, even if that is at a later look: each description
     * makes those who choose at the moment choose again.
     */
    private void note(List<ResourceView> enrolled, Look.Known known) {
        int described = 0;
        Map<String, Outage> outages =
                new HashMap<>(
                        strays.putBack(
                                enrolled.stream()
                                        .filter(each -> known.strays().contains(each.name()))
                                        .toList()));
        outages.putAll(known.outages());
        for (ResourceView resource : enrolled) {
            @Nullable Found found = known.found().get(resource.name());
            Set<String> differences =
                    found == null ? Set.of() : differences(resource, report(resource, found));
            if (found != null && !differences.isEmpty()) {
                if (++described > MOST_DESCRIBED) {
                    continue;
                }
                LOG.atInfo()
                        .addKeyValue("resource_id", resource.id())
                        .addKeyValue("name", resource.name())
                        .addKeyValue("properties", differences)
                        .log("The cloud says something else of a resource than before");
                send(report(resource, found));
            }
            serve(resource, outages.get(resource.name()));
        }
    }

    private static ReportAttributes report(ResourceView resource, Found found) {
        return new ReportAttributes(
                resource.id(), found.region(), found.zone(), found.attributes());
    }

    /**
     * As far as the view tells: most looks find nothing, and need no command. What has happened
     * since, the resource itself knows, and compares again.
     */
    private static Set<String> differences(ResourceView resource, ReportAttributes report) {
        return report.differences(resource.region(), resource.zone(), resource.attributes());
    }

    private void serve(ResourceView resource, @Nullable Outage outage) {
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
