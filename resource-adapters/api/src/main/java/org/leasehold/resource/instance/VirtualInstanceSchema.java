package org.leasehold.resource.instance;

import static org.leasehold.resource.instance.InstancePlanning.DISK_GB;
import static org.leasehold.resource.instance.InstancePlanning.MAX_SIZE;
import static org.leasehold.resource.instance.InstancePlanning.MEMORY_MB;
import static org.leasehold.resource.instance.InstancePlanning.RESOURCE_PROPERTIES;
import static org.leasehold.resource.instance.InstancePlanning.VCPUS;
import static org.leasehold.resource.instance.SlotParameters.AFFINITY;
import static org.leasehold.resource.instance.SlotParameters.AMOUNT;

import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.KindDescription;
import org.leasehold.resource.KindDescription.ResourceUse;
import org.leasehold.resource.parameter.FieldSchema;
import org.leasehold.resource.parameter.ObjectSchema;
import org.leasehold.resource.requirement.FilterSchema;

import java.util.List;

/** The description of reservations of slots whose size the reservation states, for any cloud. */
final class VirtualInstanceSchema {

    private static final ObjectSchema CHANGES =
            ObjectSchema.empty()
                    .with(VCPUS, FieldSchema.integer(1, MAX_SIZE, "The cores of one slot."))
                    .with(
                            MEMORY_MB,
                            FieldSchema.integer(1, MAX_SIZE, "The memory of one slot, in MiB."))
                    .with(
                            DISK_GB,
                            FieldSchema.integer(0, MAX_SIZE, "The disk of one slot, in GiB."))
                    .with(AMOUNT, SlotParameters.amountSchema())
                    .with(
                            AFFINITY,
                            FieldSchema.bool(
                                            "True for all slots on one host, false for each slot"
                                                    + " on a host of its own, null for any hosts;"
                                                    + " by default, null.")
                                    .with("type", List.of("boolean", "null")))
                    .with(RESOURCE_PROPERTIES, FilterSchema.of("hosts"));

    static final KindDescription DESCRIPTION =
            new KindDescription(
                    "Slots of one size on hosts that several projects share.",
                    List.of(ResourceUse.part(ResourceKind.PHYSICAL_HOST)),
                    CHANGES.requiring(VCPUS, MEMORY_MB, DISK_GB, AMOUNT).json(),
                    CHANGES.json());

    private VirtualInstanceSchema() {}
}
