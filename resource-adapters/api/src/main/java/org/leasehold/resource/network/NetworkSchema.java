package org.leasehold.resource.network;

import static org.leasehold.resource.network.NetworkPlanning.DESCRIPTION;
import static org.leasehold.resource.network.NetworkPlanning.MAX_TEXT_LENGTH;
import static org.leasehold.resource.network.NetworkPlanning.NAME;
import static org.leasehold.resource.network.NetworkPlanning.NETWORK_PROPERTIES;
import static org.leasehold.resource.network.NetworkPlanning.RESERVED_PREFIX;
import static org.leasehold.resource.network.NetworkPlanning.RESOURCE_PROPERTIES;

import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.KindDescription;
import org.leasehold.resource.KindDescription.ResourceUse;
import org.leasehold.resource.parameter.FieldSchema;
import org.leasehold.resource.parameter.ObjectSchema;
import org.leasehold.resource.requirement.FilterSchema;

import java.util.List;

/** The description of reservations of networks, for any cloud. */
final class NetworkSchema {

    private static final ObjectSchema CHANGES =
            ObjectSchema.empty()
                    .with(
                            NAME,
                            FieldSchema.text(1, MAX_TEXT_LENGTH, "The name of the network.")
                                    .with("pattern", "^\\s*\\S"))
                    .with(
                            DESCRIPTION,
                            FieldSchema.text(0, MAX_TEXT_LENGTH, "The description of the network.")
                                    .with("pattern", "^(?!" + RESERVED_PREFIX + ")"))
                    .with(NETWORK_PROPERTIES, FilterSchema.of("segments"))
                    .with(RESOURCE_PROPERTIES, FilterSchema.of("segments"));

    static final KindDescription KIND =
            new KindDescription(
                    "A network on a segment of its own.",
                    List.of(ResourceUse.whole(ResourceKind.NETWORK)),
                    CHANGES.requiring(NAME).json(),
                    CHANGES.json());

    private NetworkSchema() {}
}
