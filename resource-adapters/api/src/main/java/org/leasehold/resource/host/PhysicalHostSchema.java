package org.leasehold.resource.host;

import static org.leasehold.resource.host.HostPlanning.BEFORE_END;
import static org.leasehold.resource.host.HostPlanning.HYPERVISOR_PROPERTIES;
import static org.leasehold.resource.host.HostPlanning.MAX;
import static org.leasehold.resource.host.HostPlanning.MAX_HOSTS;
import static org.leasehold.resource.host.HostPlanning.MIN;
import static org.leasehold.resource.host.HostPlanning.RESOURCE_PROPERTIES;
import static org.leasehold.resource.host.HostPlanning.SELECTION;

import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.KindDescription;
import org.leasehold.resource.KindDescription.ResourceUse;
import org.leasehold.resource.parameter.FieldSchema;
import org.leasehold.resource.parameter.ObjectSchema;
import org.leasehold.resource.requirement.FilterSchema;

import java.util.List;

/** The description of reservations of whole hosts, for any cloud. */
final class PhysicalHostSchema {

    private static final ObjectSchema CHANGES =
            ObjectSchema.empty()
                    .with(
                            MIN,
                            FieldSchema.integer(
                                    1,
                                    MAX_HOSTS,
                                    "The smallest number of hosts of which the reservation is of"
                                            + " use."))
                    .with(
                            MAX,
                            FieldSchema.integer(
                                    1,
                                    MAX_HOSTS,
                                    "The largest number of hosts, at least min. The reservation"
                                            + " gets as many as are free."))
                    .with(HYPERVISOR_PROPERTIES, FilterSchema.of("hosts"))
                    .with(RESOURCE_PROPERTIES, FilterSchema.of("hosts"));

    static final KindDescription DESCRIPTION =
            new KindDescription(
                    "Whole hosts for one project.",
                    List.of(ResourceUse.whole(ResourceKind.PHYSICAL_HOST)),
                    CHANGES.with(
                                    BEFORE_END,
                                    FieldSchema.words(
                                            HostPlanning.BEFORE_END_ACTIONS,
                                            "The action before the end; by default, the action"
                                                    + " default."))
                            .with(
                                    SELECTION,
                                    FieldSchema.words(
                                            HostPlanning.SELECTIONS.keySet().stream()
                                                    .sorted()
                                                    .toList(),
                                            "The rule that selects among free hosts; by default,"
                                                    + " first_fit."))
                            .requiring(MIN, MAX)
                            .json(),
                    CHANGES.json());

    private PhysicalHostSchema() {}
}
