package org.leasehold.gateway.v1.description;

import static org.leasehold.gateway.v1.description.Fields.MADE;
import static org.leasehold.gateway.v1.description.Fields.START;
import static org.leasehold.gateway.v1.description.Fields.changed;
import static org.leasehold.gateway.v1.description.Fields.flag;
import static org.leasehold.gateway.v1.description.Fields.message;
import static org.leasehold.gateway.v1.description.Fields.moment;
import static org.leasehold.gateway.v1.description.Fields.orNull;
import static org.leasehold.gateway.v1.description.Fields.second;
import static org.leasehold.gateway.v1.description.Fields.text;
import static org.leasehold.gateway.v1.description.Fields.uuid;
import static org.leasehold.gateway.v1.description.Fields.wrapper;
import static org.leasehold.gateway.v1.description.Fields.wrapperOfAll;

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
                        .with("created_at", second("When it was enrolled.", MADE))
                        .with("updated_at", changed())
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
                        .with("created_at", moment("When it was enrolled.", START))
                        .with("updated_at", orNull(moment("When it last changed.", START)))
                        .closed());
        schemas.put(
                "BlazarNewFloatingIp",
                message("Makes an address leasable. Other fields mean nothing.")
                        .with("floating_network_id", text("The network's id.", NETWORK))
                        .with(
                                "floating_ip_address",
                                text(
                                        "An address of one of its subnets that nobody is given"
                                                + " otherwise.",
                                        ADDRESS))
                        .open());
    }

    private static Fields.Message floatingIp(String description) {
        return message(description)
                .with("id", uuid("Its id.", ID))
                .with("floating_network_id", text("The network that it is of.", NETWORK))
                .with("subnet_id", text("The subnet that it is of.", SUBNET))
                .with("floating_ip_address", text("Its address.", ADDRESS))
                .with("reservable", flag("Whether it is in service.", true));
    }
}
