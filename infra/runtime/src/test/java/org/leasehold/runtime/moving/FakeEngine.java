package org.leasehold.runtime.moving;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.CommandContext;
import org.leasehold.command.Commands;
import org.leasehold.command.Outcome;
import org.leasehold.inventory.PropertyVisibility;
import org.leasehold.inventory.ResourceCommand;
import org.leasehold.inventory.ResourceCommand.EnrolResource;
import org.leasehold.inventory.ResourceCommand.ReportOutage;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.inventory.ResourceRejection;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.lease.UseObserved;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.lease.HistoryEntry;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.readmodel.resource.ResourceView;
import org.leasehold.readmodel.resource.Resources;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** A fake engine with the parts that an import needs. */
final class FakeEngine implements Commands, Resources, Leases {

    private final Map<Long, ResourceView> resources = new TreeMap<>();

    /** The imported leases, in order. */
    final List<LeaseId> leases = new ArrayList<>();

    final List<ResourceId> outages = new ArrayList<>();

    /** The names of resources that it does not enrol. */
    final Set<String> rejecting = new HashSet<>();

    /** True if the connection breaks before the next lease. */
    boolean cutOff;

    @Override
    public Outcome<LeaseRejection> send(LeaseCommand command, CommandContext context) {
        if (cutOff) {
            throw new IllegalStateException("cut off");
        }
        leases.add(command.leaseId());
        return new Outcome.Accepted<>(1);
    }

    @Override
    public Outcome<ResourceRejection> send(ResourceCommand command, CommandContext context) {
        return switch (command) {
            case EnrolResource enrol when rejecting.contains(enrol.name()) ->
                    new Outcome.Rejected<>(
                            new ResourceRejection.AlreadyEnrolled(enrol.kind(), enrol.name()));
            case EnrolResource enrol -> {
                resources.put(enrol.resourceId().value(), view(enrol, context.now(), null));
                yield new Outcome.Accepted<>(1);
            }
            case ReportOutage outage -> {
                outages.add(outage.resourceId());
                // A survey runs at once and finds the resource healthy.
                resources.computeIfPresent(
                        outage.resourceId().value(),
                        (_, resource) -> changed(resource, context.now()));
                yield new Outcome.Accepted<>(1);
            }
            case ResourceCommand.ChangeResource _,
                    ResourceCommand.DisableResource _,
                    ResourceCommand.EnableResource _,
                    ResourceCommand.ReportAttributes _,
                    ResourceCommand.RetireResource _ ->
                    throw unexpected();
        };
    }

    private static ResourceView view(
            EnrolResource enrolment, Instant now, @Nullable Instant updatedAt) {
        return new ResourceView(
                enrolment.resourceId(),
                enrolment.kind(),
                enrolment.name(),
                enrolment.region(),
                enrolment.zone(),
                true,
                null,
                enrolment.attributes(),
                enrolment.capabilities(),
                now,
                updatedAt);
    }

    private static ResourceView changed(ResourceView resource, Instant now) {
        return new ResourceView(
                resource.id(),
                resource.kind(),
                resource.name(),
                resource.region(),
                resource.zone(),
                resource.reservable(),
                resource.disabledReason(),
                resource.attributes(),
                resource.capabilities(),
                resource.createdAt(),
                now);
    }

    @Override
    public Optional<ResourceView> find(ResourceId id) {
        return Optional.ofNullable(resources.get(id.value()));
    }

    @Override
    public List<ResourceView> list(@Nullable ResourceKind kind) {
        return List.copyOf(resources.values());
    }

    @Override
    public Set<String> hiddenProperties(ResourceKind kind) {
        return Set.of();
    }

    /** Returns no lease: a test on a real engine covers imported leases. */
    @Override
    public Optional<LeaseView> find(LeaseId id, @Nullable ProjectId project) {
        return Optional.empty();
    }

    @Override
    public Page<LeaseView> list(ListLeases question, long asOf) {
        throw unexpected();
    }

    @Override
    public Optional<LeaseView> find(LeaseId id, @Nullable ProjectId project, long asOf) {
        throw unexpected();
    }

    @Override
    public void send(PropertyVisibility command, CommandContext context) {
        throw unexpected();
    }

    @Override
    public void send(UseObserved command, CommandContext context) {
        throw unexpected();
    }

    @Override
    public Rehearsal rehearse(LeaseCommand.CreateLease command, CommandContext context) {
        throw unexpected();
    }

    @Override
    public ResourceId nextResourceId() {
        throw unexpected();
    }

    @Override
    public Page<ResourceView> page(ListResources question) {
        throw unexpected();
    }

    @Override
    public Page<CountedProperty> page(ListProperties question) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Page<ResourceCalendar> page(ListAllocations question) {
        throw unexpected();
    }

    @Override
    public List<ResourceCalendar> allocations(
            ResourceKind kind,
            @Nullable ResourceId resource,
            @Nullable LeaseId lease,
            @Nullable ReservationId reservation,
            Instant from) {
        throw unexpected();
    }

    @Override
    public List<ResourceProperty> properties(ResourceKind kind) {
        throw unexpected();
    }

    @Override
    public Page<LeaseView> list(ListLeases question) {
        throw unexpected();
    }

    @Override
    public List<HistoryEntry> history(LeaseId id, @Nullable ProjectId project) {
        throw unexpected();
    }

    private static AssertionError unexpected() {
        return new AssertionError("nobody who moves in asks this");
    }
}
