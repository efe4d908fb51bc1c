package org.leasehold.gateway.api;

import org.jspecify.annotations.Nullable;
import org.leasehold.query.ReadModels.ReadModel;
import org.leasehold.query.ResourceView;
import org.leasehold.query.Resources.Holding;
import org.leasehold.query.Resources.ResourceCalendar;
import org.leasehold.query.Resources.ResourceProperty;
import org.leasehold.query.Stuck.StuckAction;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

/** What is told of the inventory and of the operation. */
final class ResourceAnswers {

    private ResourceAnswers() {}

    /**
     * An enrolled resource.
     *
     * @param reservable whether it is in service
     * @param disabledReason why it is not
     * @param attributes what the cloud says of it
     * @param capabilities what the operator says of it
     */
    record Resource(
            long id,
            String kind,
            String name,
            @Nullable String region,
            @Nullable String zone,
            boolean reservable,
            @Nullable String disabledReason,
            Map<String, @Nullable Object> attributes,
            Map<String, String> capabilities,
            Instant createdAt,
            @Nullable Instant updatedAt) {

        static Resource of(ResourceView view) {
            return new Resource(
                    view.id().value(),
                    view.kind().value(),
                    view.name(),
                    view.region(),
                    view.zone(),
                    view.reservable(),
                    view.disabledReason(),
                    view.attributes(),
                    view.capabilities(),
                    view.createdAt(),
                    view.updatedAt());
        }
    }

    /** Enrolled resources, by id. */
    record ResourceList(List<Resource> resources) {}

    /**
     * A resource that went out of service.
     *
     * @param affectedLeases leases, current and future, that count on it
     */
    record DisabledResource(Resource resource, List<UUID> affectedLeases) {}

    /** Who holds what. */
    record Allocations(List<ResourceAllocations> allocations) {}

    /** Who holds one resource, by start. */
    record ResourceAllocations(long resourceId, String name, List<Hold> holds) {

        static ResourceAllocations of(ResourceCalendar calendar) {
            return new ResourceAllocations(
                    calendar.resource().value(),
                    calendar.name(),
                    calendar.holdings().stream().map(Hold::of).toList());
        }
    }

    /** A reservation's hold on a resource, without the cleaning after it. */
    record Hold(UUID reservationId, UUID leaseId, String projectId, Instant start, Instant end) {

        private static Hold of(Holding holding) {
            return new Hold(
                    holding.reservation().value(),
                    holding.lease().value(),
                    holding.project().value(),
                    holding.period().start(),
                    holding.period().end());
        }
    }

    /** The capabilities that resources have. */
    record Properties(List<Property> properties) {}

    /**
     * A capability's name, and the values that resources have of it.
     *
     * @param hidden whether only administrators see it
     */
    record Property(
            UUID id,
            String kind,
            String name,
            boolean hidden,
            List<String> values,
            Instant createdAt,
            @Nullable Instant updatedAt) {

        static Property of(ResourceProperty property) {
            return new Property(
                    property.id(),
                    property.kind().value(),
                    property.name(),
                    property.hidden(),
                    property.values(),
                    property.createdAt(),
                    property.updatedAt());
        }
    }

    /** The kinds of resources that can be leased. */
    record KindList(List<Kind> kinds) {}

    /** A kind of resource. */
    record Kind(String name) {}

    /** What does not move, oldest first. */
    record StuckActions(List<StuckStep> actions) {}

    /**
     * A plugin action that has not succeeded yet.
     *
     * @param attempts how often it was tried
     * @param lastFault what the plugin said the last time; nothing when the process died over it
     * @param nextAttempt when it is tried again; nothing when only a retry will
     */
    record StuckStep(
            @Nullable UUID leaseId,
            @Nullable UUID reservationId,
            @Nullable Long resourceId,
            @Nullable String kind,
            @Nullable String name,
            String action,
            int attempts,
            @Nullable String lastFault,
            Instant since,
            @Nullable Instant nextAttempt) {

        static StuckStep of(StuckAction stuck) {
            AimedAt aim = AimedAt.of(stuck.target());
            return new StuckStep(
                    aim.leaseId(),
                    aim.reservationId(),
                    aim.resourceId(),
                    aim.kind(),
                    aim.name(),
                    aim.action(),
                    stuck.attempts(),
                    stuck.lastFault(),
                    stuck.since(),
                    stuck.nextAttempt());
        }
    }

    /** The tables that answer questions, by name. */
    record ReadModelList(List<ReadModelProgress> readModels) {}

    /**
     * A table that answers questions, and its last rebuild.
     *
     * @param state served, rebuilding, rebuilt or failed
     * @param position up to which event the rebuild has come
     * @param lastPosition the position of the last event
     */
    record ReadModelProgress(
            String name,
            String state,
            long position,
            long lastPosition,
            @Nullable Instant beganAt,
            @Nullable Instant endedAt,
            @Nullable String failure) {

        static ReadModelProgress of(ReadModel readModel) {
            return new ReadModelProgress(
                    readModel.name(),
                    readModel.state().name().toLowerCase(Locale.ROOT),
                    readModel.position(),
                    readModel.last(),
                    readModel.began(),
                    readModel.ended(),
                    readModel.failure());
        }
    }
}
