package org.leasehold.saga.leasetag;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.LeaseTagSource;
import org.leasehold.resource.LeaseTagSource.Seen;
import org.leasehold.resource.LeaseTaggedObject;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.saga.LeaseRequestResult;
import org.leasehold.saga.node.FailedPolls;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Clock;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/**
 * The poller for lease tags on servers and volumes in the cloud, which processes each once. The
 * answer is stored, and a problem is written beside the lease tag. Only another text is processed
 * again.
 *
 * <p>Every node polls; one of them processes.
 */
final class LeaseTagPoller {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseTagPoller.class);

    /** The rest follows at the next polls. */
    private static final int MAX_BATCH_SIZE = 50;

    private final Plugins plugins;
    private final LeaseTagHandler handler;
    private final LeaseTagTable table;
    private final Clock clock;
    private final FailedPolls failedPolls;
    private final BooleanSupplier pollingEnabled;

    /**
     * Creates the poller.
     *
     * @param pollingEnabled whether this node polls
     */
    LeaseTagPoller(
            Plugins plugins,
            LeaseTagHandler handler,
            LeaseTagTable table,
            Clock clock,
            FailedPolls failedPolls,
            BooleanSupplier pollingEnabled) {
        this.plugins = plugins;
        this.handler = handler;
        this.table = table;
        this.clock = clock;
        this.failedPolls = failedPolls;
        this.pollingEnabled = pollingEnabled;
    }

    void poll() {
        if (!pollingEnabled.getAsBoolean()) {
            return;
        }
        Set<UUID> all = new HashSet<>();
        boolean complete = true;
        for (String kind : plugins.kinds()) {
            ResourcePlugin plugin = plugins.find(new ResourceKind(kind)).orElseThrow();
            Optional<LeaseTagSource> tagSource = plugin.leaseTagSource();
            if (tagSource.isPresent()) {
                complete &= poll(plugin, tagSource.get(), all);
            }
        }
        if (complete) {
            table.markSeenAndDeleteExpired(all, clock.instant());
        }
    }

    /** Returns false if the cloud does not answer. */
    private boolean poll(ResourcePlugin plugin, LeaseTagSource cloud, Set<UUID> all) {
        switch (cloud.findTaggedObjects()) {
            case Seen.Unknown(var fault) -> {
                failedPolls.record(FailedPolls.Purpose.LEASE_TAGS, plugin.kind());
                LOG.atWarn()
                        .addKeyValue("kind", plugin.kind())
                        .log("The lease tags could not be read: {}", fault.message());
                return false;
            }
            case Seen.All(var objects) -> {
                Map<UUID, LeaseTaggedObject> named = new LinkedHashMap<>();
                objects.forEach(each -> named.put(deriveId(plugin.kind(), each), each));
                all.addAll(named.keySet());
                Map<UUID, Optional<String>> answers = table.findAnswers(named.keySet());
                answers.forEach(
                        (id, problem) -> {
                            LeaseTaggedObject object = Objects.requireNonNull(named.get(id));
                            runIsolated(
                                    object,
                                    () -> writeError(id, object, problem.orElse(null), cloud));
                        });
                named.entrySet().stream()
                        .filter(each -> !answers.containsKey(each.getKey()))
                        .filter(each -> table.tryBegin(each.getKey(), clock.instant()))
                        .limit(MAX_BATCH_SIZE)
                        .forEach(
                                each ->
                                        runIsolated(
                                                each.getValue(),
                                                () ->
                                                        process(
                                                                each.getKey(),
                                                                each.getValue(),
                                                                plugin,
                                                                cloud)));
                return true;
            }
        }
    }

    private static UUID deriveId(ResourceKind kind, LeaseTaggedObject object) {
        return OpenLeaseTags.deriveId(kind, object.thing(), object.metadata());
    }

    /** Processes one lease tag, so that its failure does not stop the others. */
    private static void runIsolated(LeaseTaggedObject object, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException broken) {
            LOG.atWarn()
                    .setCause(broken)
                    .addKeyValue("thing", object.thing())
                    .log("A lease tag could not be processed");
        }
    }

    private void process(
            UUID id, LeaseTaggedObject object, ResourcePlugin plugin, LeaseTagSource cloud) {
        LeaseRequestResult answer = handler.process(id, object, plugin);
        LOG.atInfo()
                .addKeyValue("kind", plugin.kind())
                .addKeyValue("thing", object.thing())
                .addKeyValue("project_id", object.project())
                .addKeyValue("answer", answer)
                .log("Something in the cloud asks to be leased");
        switch (answer) {
            case LeaseRequestResult.Granted _ -> storeAnswer(id, object, null, cloud);
            case LeaseRequestResult.Denied(String problem) ->
                    storeAnswer(
                            id,
                            object,
                            ParsedLeaseTag.truncate(problem, LeaseTaggedObject.MAX_TEXT_LENGTH),
                            cloud);
            case LeaseRequestResult.Later _ -> {}
        }
    }

    private void storeAnswer(
            UUID id, LeaseTaggedObject object, @Nullable String problem, LeaseTagSource cloud) {
        table.storeAnswer(id, problem, clock.instant());
        writeError(id, object, problem, cloud);
    }

    private void writeError(
            UUID id, LeaseTaggedObject object, @Nullable String problem, LeaseTagSource cloud) {
        if (!Objects.equals(object.error(), problem) && table.tryMarkWritten(id, clock.instant())) {
            cloud.writeError(object, problem);
        }
    }
}
