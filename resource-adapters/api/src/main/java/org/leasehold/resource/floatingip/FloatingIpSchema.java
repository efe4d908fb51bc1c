package org.leasehold.resource.floatingip;

import static org.leasehold.resource.floatingip.FloatingIpPlanning.AMOUNT;
import static org.leasehold.resource.floatingip.FloatingIpPlanning.MAX_AMOUNT;
import static org.leasehold.resource.floatingip.FloatingIpPlanning.NETWORK_ID;
import static org.leasehold.resource.floatingip.FloatingIpPlanning.REQUIRED;

import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.KindDescription;
import org.leasehold.resource.KindDescription.ResourceUse;
import org.leasehold.resource.parameter.FieldSchema;
import org.leasehold.resource.parameter.ObjectSchema;

import java.util.List;

/** The description of reservations of floating IPs, for any cloud. */
final class FloatingIpSchema {

    /** The length of the longest notation: an IPv6 address that ends with an IPv4 address. */
    private static final int MAX_ADDRESS_LENGTH = 45;

    private static final ObjectSchema CHANGES =
            ObjectSchema.empty()
                    .with(AMOUNT, FieldSchema.integer(1, MAX_AMOUNT, "The number of floating IPs."))
                    .with(
                            REQUIRED,
                            FieldSchema.typed(
                                            "array",
                                            "Addresses that must be among the floating IPs. There"
                                                    + " are no more than amount.")
                                    .with("maxItems", MAX_AMOUNT)
                                    .with(
                                            "items",
                                            FieldSchema.text(1, MAX_ADDRESS_LENGTH, "An address.")
                                                    .keywords()));

    static final KindDescription DESCRIPTION =
            new KindDescription(
                    "Addresses of an external network.",
                    List.of(ResourceUse.whole(ResourceKind.FLOATING_IP)),
                    CHANGES.with(
                                    NETWORK_ID,
                                    FieldSchema.text(
                                                    1,
                                                    FloatingIp.MAX_NETWORK_LENGTH,
                                                    "The id of the external network.")
                                            .with("pattern", "^[^/\\s]+$"))
                            .requiring(NETWORK_ID, AMOUNT)
                            .json(),
                    CHANGES.json());

    private FloatingIpSchema() {}
}
