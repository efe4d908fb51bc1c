package org.leasehold.saga.petition;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.Petition;
import org.leasehold.resource.Petitioning;
import org.leasehold.resource.Petitioning.Seen;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.ResourcePlugin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;

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
final class PetitionWatch {

    private static final Logger LOG = LoggerFactory.getLogger(PetitionWatch.class);

    /** The rest follows at the next polls. */
    private static final int HEARD_AT_ONCE = 50;

    private final Plugins plugins;
    private final Hearing hearing;
    private final PetitionTable table;
    private final Clock clock;
    private final BooleanSupplier wanted;

    /**
     * @param wanted whether this node polls
     */
    PetitionWatch(
            Plugins plugins,
            Hearing hearing,
            PetitionTable table,
            Clock clock,
            BooleanSupplier wanted) {
        this.plugins = plugins;
        this.hearing = hearing;
        this.table = table;
        this.clock = clock;
        this.wanted = wanted;
    }

    @Scheduled(fixedDelayString = "${leasehold.saga.watching:30s}")
    void look() {
        if (!wanted.getAsBoolean()) {
            return;
        }
        Set<UUID> all = new HashSet<>();
        boolean complete = true;
        for (String kind : plugins.kinds()) {
            ResourcePlugin plugin = plugins.find(new ResourceKind(kind)).orElseThrow();
            Optional<Petitioning> petitioning = plugin.petitioning();
            if (petitioning.isPresent()) {
                complete &= look(plugin, petitioning.get(), all);
            }
        }
        if (complete) {
            table.keep(all, clock.instant());
        }
    }

    /** Returns false if the cloud does not answer. */
    private boolean look(ResourcePlugin plugin, Petitioning cloud, Set<UUID> all) {
        switch (cloud.petitions()) {
            case Seen.Nothing(var fault) -> {
                LOG.atWarn()
                        .addKeyValue("kind", plugin.kind())
                        .log("The cloud does not tell what asks for a lease: {}", fault.message());
                return false;
            }
            case Seen.All(var petitions) -> {
                Map<UUID, Petition> named = new LinkedHashMap<>();
                petitions.forEach(each -> named.put(name(plugin.kind(), each), each));
                all.addAll(named.keySet());
                Map<UUID, Optional<String>> answers = table.answers(named.keySet());
                answers.forEach(
                        (id, problem) -> {
                            Petition petition = Objects.requireNonNull(named.get(id));
                            alone(petition, () -> tell(id, petition, problem.orElse(null), cloud));
                        });
                named.entrySet().stream()
                        .filter(each -> !answers.containsKey(each.getKey()))
                        .filter(each -> table.begin(each.getKey(), clock.instant()))
                        .limit(HEARD_AT_ONCE)
                        .forEach(
                                each ->
                                        alone(
                                                each.getValue(),
                                                () ->
                                                        hear(
                                                                each.getKey(),
                                                                each.getValue(),
                                                                plugin,
                                                                cloud)));
                return true;
            }
        }
    }

    private static UUID name(ResourceKind kind, Petition petition) {
        return Hearing.derived(
                String.join(
                        "\n",
                        kind.value(),
                        petition.thing(),
                        petition.metadata().getOrDefault(Petition.LEASE, ""),
                        petition.metadata().getOrDefault(Petition.TERMS, "")));
    }

    /** Processes one lease tag, so that its failure does not stop the others. */
    private static void alone(Petition petition, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException broken) {
            LOG.atWarn()
                    .setCause(broken)
                    .addKeyValue("thing", petition.thing())
                    .log("What is written on something in the cloud could not be heard");
        }
    }

    private void hear(UUID id, Petition petition, ResourcePlugin plugin, Petitioning cloud) {
        Answer answer = hearing.hear(id, petition, plugin);
        LOG.atInfo()
                .addKeyValue("kind", plugin.kind())
                .addKeyValue("thing", petition.thing())
                .addKeyValue("project_id", petition.project())
                .addKeyValue("answer", answer)
                .log("Something in the cloud asks to be leased");
        switch (answer) {
            case Answer.Granted _ -> answer(id, petition, null, cloud);
            case Answer.Denied(String problem) ->
                    answer(id, petition, Plea.shortened(problem, Petition.LONGEST), cloud);
            case Answer.Later _ -> {}
        }
    }

    private void answer(UUID id, Petition petition, @Nullable String problem, Petitioning cloud) {
        table.answer(id, problem, clock.instant());
        tell(id, petition, problem, cloud);
    }

    private void tell(UUID id, Petition petition, @Nullable String problem, Petitioning cloud) {
        if (!Objects.equals(petition.told(), problem) && table.tell(id, clock.instant())) {
            cloud.tell(petition, problem);
        }
    }
}
