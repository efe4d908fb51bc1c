package org.leasehold.gateway.api.resource;

import static java.util.stream.Collectors.toSet;

import com.fasterxml.jackson.annotation.JsonInclude;

import io.swagger.v3.oas.annotations.media.Schema;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.label.Labels;
import org.leasehold.readmodel.label.Labels.LeaseLabel;
import org.leasehold.readmodel.label.Labels.ResourceLabel;
import org.leasehold.readmodel.operation.ReadModels.ReadModel;
import org.leasehold.readmodel.operation.StuckActionQuery.StuckAction;
import org.leasehold.readmodel.resource.ResourceView;
import org.leasehold.readmodel.resource.Resources.CountedProperty;
import org.leasehold.readmodel.resource.Resources.Holding;
import org.leasehold.readmodel.resource.Resources.ResourceCalendar;
import org.leasehold.readmodel.resource.Resources.ResourceProperty;
import org.leasehold.resource.KindDescription;
import org.leasehold.resource.KindDescription.ResourceUse;
import org.leasehold.vocabulary.LeaseId;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

/** Responses about the inventory and the operation. */
public final class ResourceResponses {

    private ResourceResponses() {}

    /**
     * An enrolled resource.
     *
     * @param reservable whether it is in service
     * @param disabledReason why it is not
     * @param attributes the properties that the cloud reports
     * @param capabilities the properties that the operator set
     */
    public record Resource(
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

        public static Resource of(ResourceView view) {
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

    /** A page of enrolled resources, by id. */
    record ResourceList(List<Resource> resources, @Nullable String next) {}

    /**
     * A resource that went out of service.
     *
     * @param affectedLeases leases, current and future, that count on it
     */
    record DisabledResource(Resource resource, List<UUID> affectedLeases) {}

    /** The allocations of resources; {@code next} is the marker of the next page, if any. */
    record Allocations(List<ResourceAllocations> allocations, @Nullable String next) {}

    /** The allocations of one resource, by start. */
    record ResourceAllocations(
            long resourceId, String name, List<Hold> holds, @Nullable String zone) {

        /** Returns allocations with names, which are queried once for all of them. */
        static List<ResourceAllocations> of(List<ResourceCalendar> calendars, Labels labels) {
            Map<LeaseId, LeaseLabel> leases =
                    labels.leases(
                            calendars.stream()
                                    .flatMap(calendar -> calendar.holdings().stream())
                                    .map(Holding::lease)
                                    .collect(toSet()),
                            null);
            Map<ResourceId, ResourceLabel> resources =
                    labels.resources(
                            calendars.stream().map(ResourceCalendar::resource).collect(toSet()));
            return calendars.stream()
                    .map(calendar -> of(calendar, leases, resources.get(calendar.resource())))
                    .toList();
        }

        private static ResourceAllocations of(
                ResourceCalendar calendar,
                Map<LeaseId, LeaseLabel> leases,
                @Nullable ResourceLabel resource) {
            return new ResourceAllocations(
                    calendar.resource().value(),
                    calendar.name(),
                    calendar.holdings().stream()
                            .map(holding -> Hold.of(holding, leases.get(holding.lease())))
                            .toList(),
                    resource == null ? null : resource.zone());
        }
    }

    /** An allocation of a resource to a reservation, without the cleaning after it. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Hold(
            UUID reservationId,
            UUID leaseId,
            String projectId,
            Instant start,
            Instant end,
            @Nullable String leaseName,
            @Nullable String kind) {

        private static Hold of(Holding holding, @Nullable LeaseLabel lease) {
            ResourceKind kind = lease == null ? null : lease.kinds().get(holding.reservation());
            return new Hold(
                    holding.reservation().value(),
                    holding.lease().value(),
                    holding.project().value(),
                    holding.period().start(),
                    holding.period().end(),
                    lease == null ? null : lease.name(),
                    kind == null ? null : kind.value());
        }
    }

    /** A page of the capabilities that resources have, by name. */
    record Properties(List<Property> properties, @Nullable String next) {}

    /**
     * A capability's name, and its values in all resources.
     *
     * @param hidden whether only administrators see it
     * @param counts the values with the number of their resources
     * @param truncated whether there are more values than these
     */
    record Property(
            UUID id,
            String kind,
            String name,
            boolean hidden,
            List<String> values,
            List<PropertyCount> counts,
            boolean truncated,
            Instant createdAt,
            @Nullable Instant updatedAt) {

        static Property of(CountedProperty counted) {
            ResourceProperty property = counted.property();
            return new Property(
                    property.id(),
                    property.kind().value(),
                    property.name(),
                    property.hidden(),
                    property.values(),
                    counted.counts().stream()
                            .map(each -> new PropertyCount(each.value(), each.count()))
                            .toList(),
                    counted.truncated(),
                    property.createdAt(),
                    property.updatedAt());
        }
    }

    /** The number of enrolled resources with a value of a capability, in service or not. */
    record PropertyCount(String value, long count) {}

    /** The kinds of resources that can be leased. */
    record KindList(List<Kind> kinds, @Nullable String next) {}

    /** A kind of resource. */
    record Kind(String name) {}

    /**
     * A kind with its parameters.
     *
     * @param resources the resources that a reservation uses
     */
    record KindDetails(
            String name,
            String description,
            List<UsedResource> resources,
            @Schema(description = NEW_RESERVATION) Map<String, Object> parameters,
            @Schema(description = CHANGE) Map<String, Object> changes) {

        private static final String NEW_RESERVATION =
                "The JSON Schema (2020-12) of the parameters of a new reservation. Without"
                        + " properties, only the plug-in knows the parameters.";
        private static final String CHANGE =
                "The JSON Schema (2020-12) of the parameters of a change. What is left out stays.";

        static KindDetails of(String name, KindDescription kind) {
            return new KindDetails(
                    name,
                    kind.summary(),
                    kind.resources().stream().map(UsedResource::of).toList(),
                    kind.parameters(),
                    kind.changes());
        }
    }

    /**
     * The resources of one kind that a reservation uses.
     *
     * @param share whether it gets each resource whole, or a part
     */
    record UsedResource(String kind, @Schema(allowableValues = {"whole", "part"}) String share) {

        static UsedResource of(ResourceUse use) {
            return new UsedResource(use.kind().value(), use.whole() ? "whole" : "part");
        }
    }

    /** Stuck actions, oldest first. */
    public record StuckActions(List<StuckStep> actions, @Nullable String next) {}

    /**
     * A plug-in's action that has not succeeded yet.
     *
     * @param attempts the number of attempts
     * @param lastFault the plug-in's last error; null if the process stopped in the attempt
     * @param nextAttempt the time of the next attempt; null if only an operator's retry starts one
     */
    public record StuckStep(
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

        public static StuckStep of(StuckAction stuck) {
            CallTarget aim = CallTarget.of(stuck.target());
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

    /** The read models, by name. */
    public record ReadModelList(List<ReadModelProgress> readModels, @Nullable String next) {}

    /**
     * A read model, and its last rebuild.
     *
     * @param state served, rebuilding, rebuilt or failed
     * @param position the position that the rebuild has reached
     * @param lastPosition the position of the last event
     */
    public record ReadModelProgress(
            String name,
            String state,
            long position,
            long lastPosition,
            @Nullable Instant beganAt,
            @Nullable Instant endedAt,
            @Nullable String failure) {

        public static ReadModelProgress of(ReadModel readModel) {
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
