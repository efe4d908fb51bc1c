package org.leasehold.resource.openstack.stack;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.ContainedServerSource;
import org.leasehold.resource.openstack.CloudCallResults;
import org.leasehold.resource.openstack.heat.ExistingStack;
import org.leasehold.resource.openstack.heat.Heat;
import org.leasehold.resource.openstack.heat.StackResource;
import org.leasehold.resource.stack.HeatResourceTypes;
import org.leasehold.resource.stack.OtherStackHolders;
import org.leasehold.resource.stack.StackPlanning;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The servers of reserved stacks, nested stacks included, as Heat lists them to the engine. */
record StackServers(Heat heat) implements ContainedServerSource {

    @Override
    public Listing findServers(
            ReservationId reservation,
            ProjectId project,
            Map<String, @Nullable Object> parameters) {
        return CloudCallResults.listContained(
                () -> find(reservation, project, parameters).map(this::servers).orElse(Set.of()));
    }

    private Optional<ExistingStack> find(
            ReservationId reservation,
            ProjectId project,
            Map<String, @Nullable Object> parameters) {
        Optional<String> existing = StackPlanning.existing(parameters);
        return existing.isPresent()
                ? heat.findById(existing.get(), project)
                : heat.findByName(OtherStackHolders.stackName(reservation), project);
    }

    private Set<String> servers(ExistingStack stack) {
        return heat.resourcesOf(stack).stream()
                .filter(
                        resource ->
                                HeatResourceTypes.sort(resource.type())
                                        == HeatResourceTypes.Sort.SERVER)
                .map(StackResource::cloudId)
                .filter(id -> !id.isEmpty())
                .collect(Collectors.toUnmodifiableSet());
    }
}
