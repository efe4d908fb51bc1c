package org.leasehold.command.whatif;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.calendar.replay.ReplayCalendar;
import org.leasehold.command.inventory.Resource;
import org.leasehold.command.inventory.Resource.Description;
import org.leasehold.inventory.ResourceEvent;
import org.leasehold.inventory.ResourceEvent.ResourceEnrolled;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.whatif.WhatIfScenario.Lost;
import org.leasehold.whatif.WhatIfScenario.More;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The resources of a scenario: they arrive, change, are lost and retire. */
final class ScenarioInventory {

    /** The first id of added resources, which are chosen after the recorded ones. */
    private static final long FIRST_ADDED_ID = 1L << 62;

    private static final String LOST_REASON = "this world has lost it";

    private final ReplayCalendar calendar;
    private final FigureCalculator figures;
    private final Map<ResourceId, Piece> resources = new TreeMap<>();
    private final List<Lost> losses = new ArrayList<>();
    private final Set<ResourceId> lost = new HashSet<>();
    private long nextId = FIRST_ADDED_ID;

    ScenarioInventory(ReplayCalendar calendar, FigureCalculator measured) {
        this.calendar = calendar;
        this.figures = measured;
    }

    private record Piece(ResourceKind kind, String name, Resource now) {

        Optional<Description> description() {
            return switch (now) {
                case Resource.InService(Description said) -> Optional.of(said);
                case Resource.Disabled(Description said, _) -> Optional.of(said);
                case Resource.Absent _, Resource.Retired _ -> Optional.empty();
            };
        }

        @Nullable String disabledReason() {
            return now instanceof Resource.Disabled(_, String reason) ? reason : null;
        }
    }

    void applyEvent(ResourceEvent event, Instant at) {
        ResourceId id = event.resourceId();
        Piece before = resources.get(id);
        Piece after;
        if (event instanceof ResourceEnrolled enrolled) {
            after =
                    new Piece(
                            enrolled.kind(),
                            enrolled.name(),
                            new Resource.Absent().evolve(enrolled));
        } else if (before != null) {
            after = new Piece(before.kind(), before.name(), before.now().evolve(event));
        } else {
            throw new IllegalStateException("there is no resource before " + event);
        }
        resources.put(id, after);
        updateCalendar(id, after, at);
    }

    private void updateCalendar(ResourceId id, Piece piece, Instant at) {
        Description said = piece.description().orElse(null);
        if (said == null) {
            calendar.removeResource(id);
            figures.retireResource(id, at);
            return;
        }
        putResource(id, piece, said, piece.disabledReason());
        if (losses.stream().anyMatch(loss -> isAffectedBy(loss, id, piece, said))
                || lost.contains(id)) {
            lost.add(id);
            figures.loseResource(id, at);
            putResource(id, piece, said, LOST_REASON);
        }
        figures.updateResource(
                id, piece.kind(), piece.disabledReason() == null && !lost.contains(id), at);
    }

    private void putResource(
            ResourceId id, Piece piece, Description said, @Nullable String disabledReason) {
        calendar.putResource(piece.kind(), id, piece.name(), said, disabledReason);
    }

    private boolean isAffectedBy(Lost loss, ResourceId id, Piece piece, Description said) {
        String zone = loss.zone();
        return loss.kind().equals(piece.kind())
                && (zone == null || zone.equals(said.zone()))
                && calendar.meets(id, loss.kind(), loss.requirement());
    }

    void addLoss(Lost loss, Instant at) {
        losses.add(loss);
        resources.forEach(
                (id, piece) -> {
                    if (piece.description().isPresent()) {
                        updateCalendar(id, piece, at);
                    }
                });
    }

    /** Returns false if the resource to copy does not exist. */
    boolean add(More more, Instant at) {
        ResourceId like = more.like();
        if (like == null) {
            add(more, new Description(null, null, Map.of(), Map.of()), at);
            return true;
        }
        Optional<Description> model =
                Optional.ofNullable(resources.get(like))
                        .filter(piece -> piece.kind().equals(more.kind()))
                        .flatMap(Piece::description);
        model.ifPresent(said -> add(more, said, at));
        return model.isPresent();
    }

    private void add(More more, Description model, Instant at) {
        Map<String, String> properties = new TreeMap<>(model.capabilities());
        properties.putAll(more.properties());
        for (int i = 0; i < more.count(); i++) {
            ResourceId id = new ResourceId(nextId++);
            applyEvent(
                    new ResourceEnrolled(
                            id,
                            more.kind(),
                            "further-" + (id.value() - FIRST_ADDED_ID + 1),
                            model.region(),
                            more.zone() == null ? model.zone() : more.zone(),
                            model.attributes(),
                            properties),
                    at);
        }
    }
}
