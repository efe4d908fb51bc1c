package org.leasehold.saga.petition;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.Petition;
import org.leasehold.resource.Petitioning;
import org.leasehold.resource.Petitioning.Seen;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.saga.node.Node;
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

/**
 * Looks for things in the cloud on which is written that they are to be leased, and hears each
 * once. What comes of it is remembered, and what is wrong is written beside: only another wording
 * is heard anew.
 *
 * <p>Every node looks; one of them hears.
 */
public final class PetitionWatch {

    private static final Logger LOG = LoggerFactory.getLogger(PetitionWatch.class);

    private final Plugins plugins;
    private final Hearing hearing;
    private final PetitionTable table;
    private final Clock clock;
    private final Node node;

    PetitionWatch(Plugins plugins, Hearing hearing, PetitionTable table, Clock clock, Node node) {
        this.plugins = plugins;
        this.hearing = hearing;
        this.table = table;
        this.clock = clock;
        this.node = node;
    }

    public void look() {
        if (!node.works()) {
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
            table.keepOnly(all, clock.instant());
        }
    }

    /** False if the cloud does not tell. */
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
                named.forEach(
                        (id, petition) -> {
                            Optional<String> known = answers.get(id);
                            if (known == null) {
                                hear(id, petition, plugin, cloud);
                            } else {
                                tell(petition, known.orElse(null), cloud);
                            }
                        });
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

    private void hear(UUID id, Petition petition, ResourcePlugin plugin, Petitioning cloud) {
        if (!table.begin(id, clock.instant())) {
            return;
        }
        Answer answer = answer(id, petition, plugin);
        LOG.atInfo()
                .addKeyValue("kind", plugin.kind())
                .addKeyValue("thing", petition.thing())
                .addKeyValue("project_id", petition.project())
                .addKeyValue("answer", answer)
                .log("Something in the cloud asks to be leased");
        switch (answer) {
            case Answer.Granted _ -> settle(id, petition, null, cloud);
            case Answer.Denied(String problem) -> settle(id, petition, shortened(problem), cloud);
            case Answer.Later _ -> {}
        }
    }

    /** One that breaks its plugin keeps no other from being heard. */
    private Answer answer(UUID id, Petition petition, ResourcePlugin plugin) {
        try {
            return hearing.hear(id, petition, plugin);
        } catch (RuntimeException broken) {
            LOG.atWarn()
                    .setCause(broken)
                    .addKeyValue("thing", petition.thing())
                    .log("What is written on something in the cloud could not be heard");
            return new Answer.Later();
        }
    }

    private void settle(UUID id, Petition petition, @Nullable String problem, Petitioning cloud) {
        table.answer(id, problem, clock.instant());
        tell(petition, problem, cloud);
    }

    private static void tell(Petition petition, @Nullable String problem, Petitioning cloud) {
        if (!Objects.equals(petition.told(), problem)) {
            cloud.tell(petition, problem);
        }
    }

    private static String shortened(String problem) {
        return problem.substring(0, Math.min(problem.length(), Petition.LONGEST));
    }
}
