package org.leasehold.saga.watch;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.CommandContext;
import org.leasehold.command.Commands;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.UseObserved;
import org.leasehold.readmodel.resource.ObservedUses;
import org.leasehold.readmodel.resource.ObservedUses.Given;
import org.leasehold.readmodel.resource.ResourceView;
import org.leasehold.readmodel.resource.Resources;
import org.leasehold.resource.Acting;
import org.leasehold.resource.LoadResult;
import org.leasehold.resource.LoadResult.Load;
import org.leasehold.resource.Plugins;
import org.leasehold.saga.node.FailedPolls.Purpose;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The poller that records the observed use of leased resources when it differs from the last one.
 *
 * <p>Every node polls: the second one to notice has nothing to do.
 */
final class ObservedUsePoller {

    private static final Logger LOG = LoggerFactory.getLogger(ObservedUsePoller.class);

    private final Plugins plugins;
    private final Resources resources;
    private final ObservedUses uses;
    private final Commands commands;
    private final PollContext context;

    ObservedUsePoller(
            Plugins plugins,
            Resources resources,
            ObservedUses uses,
            Commands commands,
            PollContext context) {
        this.plugins = plugins;
        this.resources = resources;
        this.uses = uses;
        this.commands = commands;
        this.context = context;
    }

    @Scheduled(fixedDelayString = "${leasehold.saga.sampling:5m}")
    void poll() {
        if (context.node().works()) {
            plugins.kinds().stream().map(ResourceKind::new).forEach(this::poll);
        }
    }

    private void poll(ResourceKind kind) {
        List<Given> given = uses.leasedResources(kind, context.clock().instant());
        if (given.isEmpty()) {
            return;
        }
        Map<ResourceId, String> names =
                resources.list(kind).stream()
                        .collect(Collectors.toMap(ResourceView::id, ResourceView::name));
        // A resource that was retired meanwhile has no name any more.
        given = given.stream().filter(one -> names.containsKey(one.resource())).toList();
        poll(kind, given, one -> Objects.requireNonNull(names.get(one.resource())));
    }

    private void poll(ResourceKind kind, List<Given> given, Function<Given, String> name) {
        Acting acting = plugins.find(kind).orElseThrow().acting();
        switch (acting.readLoads(given.stream().map(name).toList())) {
            case LoadResult.Unknown(var fault) -> {
                context.failedPolls().record(Purpose.USE, kind);
                LOG.atWarn()
                        .addKeyValue("kind", kind)
                        .log("The use of resources could not be read: {}", fault.message());
            }
            case LoadResult.Known(var loads) ->
                    given.forEach(one -> recordUse(one, loads.get(name.apply(one))));
        }
    }

    private void recordUse(Given given, @Nullable Load load) {
        if (load == null) {
            return;
        }
        UseObserved seen =
                new UseObserved(
                        given.lease(),
                        given.project(),
                        given.reservation(),
                        given.resource(),
                        load.servers(),
                        load.vcpus());
        if (!seen.equals(given.last())) {
            commands.send(
                    seen,
                    CommandContext.ofEngine(
                            context.clock().instant(), "req-" + UUID.randomUUID(), null));
        }
    }
}
