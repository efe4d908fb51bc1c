package org.leasehold.saga.watch;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.CommandContext;
import org.leasehold.command.Commands;
import org.leasehold.inventory.Outage;
import org.leasehold.inventory.ResourceCommand;
import org.leasehold.inventory.ResourceCommand.ReportAttributes;
import org.leasehold.inventory.ResourceCommand.ReportOutage;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.resource.ResourceView;
import org.leasehold.readmodel.resource.Resources;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Acting.Discovery.Found;
import org.leasehold.resource.InventoryResult;
import org.leasehold.resource.Plugins;
import org.leasehold.saga.node.FailedPolls.Purpose;
import org.leasehold.saga.task.TaskQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * The poller that updates the inventory from the cloud. Resources that the cloud cannot give go out
 * of service, and return when it can. Those that an operator took out of service stay so.
 *
 * <p>Every node polls: the second one to notice has nothing to do.
 */
final class InventoryPoller {

    private static final Logger LOG = LoggerFactory.getLogger(InventoryPoller.class);

    /** The limit of one poll; the rest follows at the next ones. */
    static final int MAX_DESCRIPTIONS = 50;

    private final Plugins plugins;
    private final Resources resources;
    private final Commands commands;
    private final PollContext context;
    private final StrayResourceRepair strays;
    private final TaskQueue tasks;

    /** The kinds whose cloud did not answer the last poll. */
    private final Set<ResourceKind> unreachableKinds = new HashSet<>();

    InventoryPoller(
            Plugins plugins,
            Resources resources,
            Commands commands,
            PollContext context,
            StrayResourceRepair strays,
            TaskQueue tasks) {
        this.plugins = plugins;
        this.resources = resources;
        this.commands = commands;
        this.context = context;
        this.strays = strays;
        this.tasks = tasks;
    }

    void poll() {
        if (context.node().works()) {
            plugins.kinds().stream().map(ResourceKind::new).forEach(this::poll);
        }
    }

    private void poll(ResourceKind kind) {
        List<ResourceView> enrolled = resources.list(kind);
        if (enrolled.isEmpty()) {
            return;
        }
        Acting acting = plugins.find(kind).orElseThrow().acting();
        Instant asked = context.clock().instant();
        switch (acting.inventory(enrolled.stream().map(ResourceView::name).toList())) {
            case InventoryResult.Unknown(var fault) -> {
                unreachableKinds.add(kind);
                context.failedPolls().record(Purpose.INVENTORY, kind);
                LOG.atWarn()
                        .addKeyValue("kind", kind)
                        .log("The inventory of the cloud could not be read: {}", fault.message());
            }
            case InventoryResult.Known known -> {
                if (unreachableKinds.remove(kind)) {
                    LOG.atInfo()
                            .addKeyValue("kind", kind)
                            .log("The cloud answers again: what waited for it is tried now");
                    tasks.retryNow();
                }
                applyAnswer(enrolled, known, asked);
            }
        }
    }

    /**
     * Applies the cloud's answer. A resource that returns is described before it is in service,
     * even if that takes another poll. Each description makes concurrent planners plan again.
     */
    private void applyAnswer(
            List<ResourceView> enrolled, InventoryResult.Known known, Instant asked) {
        int described = 0;
        Map<String, Outage> outages =
                new HashMap<>(strays.repair(filterByName(enrolled, known.strays())));
        outages.putAll(strays.findLost(filterByName(enrolled, known.pooled()), asked));
        outages.putAll(known.outages());
        for (ResourceView resource : enrolled) {
            @Nullable Found found = known.found().get(resource.name());
            Set<String> differences =
                    found == null ? Set.of() : differences(resource, report(resource, found));
            if (found != null && !differences.isEmpty()) {
                if (++described > MAX_DESCRIPTIONS) {
                    continue;
                }
                LOG.atInfo()
                        .addKeyValue("resource_id", resource.id())
                        .addKeyValue("name", resource.name())
                        .addKeyValue("properties", differences)
                        .log("The cloud says something else of a resource than before");
                send(report(resource, found));
            }
            reportOutage(resource, outages.get(resource.name()));
        }
    }

    private static List<ResourceView> filterByName(List<ResourceView> enrolled, Set<String> names) {
        return enrolled.stream().filter(each -> names.contains(each.name())).toList();
    }

    private static ReportAttributes report(ResourceView resource, Found found) {
        return new ReportAttributes(
                resource.id(), found.region(), found.zone(), found.attributes());
    }

    /**
     * Returns the differences as far as the view shows them: most polls find none, and need no
     * command. The resource itself compares again.
     */
    private static Set<String> differences(ResourceView resource, ReportAttributes report) {
        return report.differences(resource.region(), resource.zone(), resource.attributes());
    }

    private void reportOutage(ResourceView resource, @Nullable Outage outage) {
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
                command,
                CommandContext.ofEngine(
                        context.clock().instant(), "req-" + UUID.randomUUID(), null));
    }
}
