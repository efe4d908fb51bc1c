package org.leasehold.saga.watch;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.CommandContext;
import org.leasehold.command.Commands;
import org.leasehold.inventory.ResourceCommand.ReportOutage;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.query.ResourceView;
import org.leasehold.query.Resources;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Acting.Outages;
import org.leasehold.resource.Plugins;
import org.leasehold.saga.node.Node;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;

import java.time.Clock;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * Takes resources out of service that the cloud cannot give, and puts them back when it can. What
 * an operator took out of service stays so.
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
        switch (acting.outages(enrolled.stream().map(ResourceView::name).toList())) {
            case Outages.Unknown(var fault) ->
                    LOG.atWarn()
                            .addKeyValue("kind", kind)
                            .log("The cloud does not tell what it can give: {}", fault.message());
            case Outages.Known(var reasons) ->
                    enrolled.forEach(
                            resource ->
                                    due(resource, reasons.get(resource.name()))
                                            .ifPresent(this::send));
        }
    }

    /** As far as the view tells. What has happened since, the resource itself knows. */
    private static Optional<ReportOutage> due(ResourceView resource, @Nullable String outage) {
        @Nullable String disabled = resource.disabledReason();
        ReportOutage report = new ReportOutage(resource.id(), outage);
        boolean anOperators = disabled != null && !ReportOutage.isReason(disabled);
        return anOperators || Objects.equals(report.reason(), disabled)
                ? Optional.empty()
                : Optional.of(report);
    }

    private void send(ReportOutage command) {
        LOG.atInfo().addKeyValue("command", command).log("The cloud's inventory has changed");
        // A rejection means that the resource was retired meanwhile.
        commands.send(
                command, CommandContext.engine(clock.instant(), "req-" + UUID.randomUUID(), null));
    }
}
