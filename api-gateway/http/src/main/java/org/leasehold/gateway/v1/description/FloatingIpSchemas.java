package org.leasehold.gateway.v1.description;

import static org.leasehold.gateway.v1.description.FieldSchemas.EXAMPLE_TIMESTAMP;
import static org.leasehold.gateway.v1.description.FieldSchemas.START;
import static org.leasehold.gateway.v1.description.FieldSchemas.flag;
import static org.leasehold.gateway.v1.description.FieldSchemas.lastChangedAt;
import static org.leasehold.gateway.v1.description.FieldSchemas.message;
import static org.leasehold.gateway.v1.description.FieldSchemas.microsecondDate;
import static org.leasehold.gateway.v1.description.FieldSchemas.orNull;
import static org.leasehold.gateway.v1.description.FieldSchemas.secondDate;
import static org.leasehold.gateway.v1.description.FieldSchemas.text;
import static org.leasehold.gateway.v1.description.FieldSchemas.uuid;
import static org.leasehold.gateway.v1.description.FieldSchemas.wrapper;
import static org.leasehold.gateway.v1.description.FieldSchemas.wrapperOfAll;

import io.swagger.v3.oas.models.media.Schema;

import java.util.Map;

/** Schemas of floating IPs and of requests about them. */
final class FloatingIpSchemas {

    static final String ID = "666c6f61-7469-8e67-8000-000000000005";

    private static final String NETWORK = "8d8bbbf2-2e0c-4b1c-9f4a-7d2a5f2f2f01";
    private static final String SUBNET = "c2a7e0f4-5f77-4f0e-8a55-0c3b9d1f7e02";
    private static final String ADDRESS = "203.0.113.200";

    private FloatingIpSchemas() {}

    static void addTo(Map<String, Schema<?>> schemas) {
        schemas.put(
                "BlazarFloatingIpAnswer",
                wrapper("A floating IP.", "floatingip", "BlazarFloatingIp"));
        schemas.put(
                "BlazarFloatingIpList",
                wrapperOfAll("Floating IPs, by id.", "floatingips", "BlazarFloatingIp"));
        schemas.put(
                "BlazarFloatingIp",
                floatingIp("A floating IP that can be leased.")
                        .withRequired(
                                "created_at",
                                secondDate("When it was enrolled.", EXAMPLE_TIMESTAMP))
                        .withRequired("updated_at", lastChangedAt())
                        .closed());
        schemas.put(
                "BlazarEnrolledFloatingIpAnswer",
                wrapper(
                        "A floating IP that was enrolled.",
                        "floatingip",
                        "BlazarEnrolledFloatingIp"));
        schemas.put(
                "BlazarEnrolledFloatingIp",
                floatingIp("A floating IP that was enrolled; its times have another form here.")
                        .withRequired("created_at", microsecondDate("When it was enrolled.", START))
                        .withRequired(
                                "updated_at",
                                orNull(microsecondDate("When it last changed.", START)))
                        .closed());
        schemas.put(
                "BlazarNewFloatingIp",
                message("Makes an address leasable. Other fields mean nothing.")
                        .withRequired("floating_network_id", text("The network's id.", NETWORK))
                        .withRequired(
                                "floating_ip_address",
                                text(
                                        "An address of one of its subnets that nobody is given"
                                                + " otherwise.",
                                        ADDRESS))
                        .open());
    }

    private static FieldSchemas.Message floatingIp(String description) {
        return message(description)
                .withRequired("id", uuid("Its id.", ID))
                .withRequired("floating_network_id", text("The network that it is of.", NETWORK))
                .withRequired("subnet_id", text("The subnet that it is of.", SUBNET))
                .withRequired("floating_ip_address", text("Its address.", ADDRESS))
                .withRequired("reservable", flag("Whether it is in service.", true));
    }
}
