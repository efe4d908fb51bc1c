package org.leasehold.gateway.v1.description;

import static org.leasehold.gateway.v1.description.FieldSchemas.RESERVATION_ID;
import static org.leasehold.gateway.v1.description.FieldSchemas.anyOf;
import static org.leasehold.gateway.v1.description.FieldSchemas.count;
import static org.leasehold.gateway.v1.description.FieldSchemas.list;
import static org.leasehold.gateway.v1.description.FieldSchemas.message;
import static org.leasehold.gateway.v1.description.FieldSchemas.minuteDate;
import static org.leasehold.gateway.v1.description.FieldSchemas.oneOf;
import static org.leasehold.gateway.v1.description.FieldSchemas.orNull;
import static org.leasehold.gateway.v1.description.FieldSchemas.reference;
import static org.leasehold.gateway.v1.description.FieldSchemas.text;
import static org.leasehold.gateway.v1.description.FieldSchemas.uuid;
import static org.leasehold.gateway.v1.description.LeaseSchemas.FILTER_EXAMPLE;

import io.swagger.v3.oas.models.media.Schema;

import org.leasehold.gateway.v1.description.FieldSchemas.Message;
import org.leasehold.resource.host.HostPlanning;

import java.util.Map;

/** Schemas of requests about leases. */
final class LeaseRequestSchemas {

    private LeaseRequestSchemas() {}

    static void addTo(Map<String, Schema<?>> schemas) {
        addNewLease(schemas);
        addLeaseChange(schemas);
    }

    private static void addNewLease(Map<String, Schema<?>> schemas) {
        schemas.put(
                "BlazarNewLease",
                message("Asks for a lease. Other fields mean nothing, events among them.")
                        .withRequired("name", name())
                        .withRequired(
                                "start_date",
                                minuteDate(
                                        "The window begins; now is the present minute.",
                                        "2026-11-21 00:33",
                                        "now"))
                        .withRequired(
                                "end_date",
                                minuteDate(
                                        "The window ends, later than it begins.",
                                        "2026-11-21 02:33",
                                        "now"))
                        .withOptional("before_end_date", announcement())
                        .withOptional(
                                "reservations",
                                list(
                                        "What is asked for; nothing, if it is left out.",
                                        reference("BlazarNewReservation")))
                        .open());
        schemas.put(
                "BlazarNewReservation",
                withHostFields(
                                message(
                                                "What is asked of one kind of resource. The other"
                                                    + " fields are those of physical:host, of which"
                                                    + " min, max and both filters have to be there;"
                                                    + " virtual:instance has those of"
                                                    + " VirtualInstanceParameters, flavor:instance"
                                                    + " those of FlavorInstanceParameters,"
                                                    + " virtual:network (or network) those of"
                                                    + " VirtualNetworkParameters, virtual:volume"
                                                    + " those of VirtualVolumeParameters,"
                                                    + " virtual:server those of"
                                                    + " VirtualServerParameters, virtual:stack"
                                                    + " those of VirtualStackParameters, another"
                                                    + " kind its plugin's.")
                                        .withRequired("resource_type", resourceType()))
                        .withOptional(
                                "before_end",
                                oneOf("What is done before the end.", "", "default", "snapshot"))
                        .withOptional(
                                "selection",
                                oneOf("Which of the free hosts to take.", "first_fit", "spread"))
                        .open());
    }

    private static void addLeaseChange(Map<String, Schema<?>> schemas) {
        schemas.put(
                "BlazarLeaseChange",
                message(
                                "Changes a lease, all of it or nothing; what is left out stays."
                                        + " Other fields mean nothing, events among them.")
                        .withOptional("name", name())
                        .withOptional(
                                "start_date",
                                minuteDate("Another begin.", "2026-11-21 00:33", "now"))
                        .withOptional(
                                "end_date", minuteDate("Another end.", "2026-11-21 03:33", "now"))
                        .withOptional("before_end_date", announcement())
                        .withOptional(
                                "reservations",
                                list(
                                        "What changes of which reservations.",
                                        reference("BlazarReservationChange")))
                        .open());
        schemas.put(
                "BlazarReservationChange",
                withHostFields(
                                message(
                                                "New values for some fields of a reservation; what"
                                                        + " is left out stays.")
                                        .withRequired(
                                                "id", uuid("The reservation's id.", RESERVATION_ID))
                                        .withOptional(
                                                "resource_type",
                                                text(
                                                        "Cannot change; the present one will do.",
                                                        "physical:host")))
                        .open());
    }

    private static Schema<?> name() {
        Schema<?> schema = text("Its name; names may be taken twice.", "nightly-build");
        schema.setMaxLength(80);
        return schema;
    }

    private static Schema<?> resourceType() {
        Schema<?> schema = text("The kind of resource.", "physical:host");
        schema.setPattern("\\S");
        return schema;
    }

    private static Schema<?> announcement() {
        return orNull(
                minuteDate(
                        "When the end is announced, inside of the window; null or empty for the"
                                + " usual time.",
                        "2026-11-21 01:33",
                        ""));
    }

    private static Schema<?> filter() {
        return anyOf(
                "What each host must be; empty or null for any host.",
                orNull(text("A filter as a text that holds a list.", FILTER_EXAMPLE)),
                reference("Filter"));
    }

    /** Adds the fields of a reservation of hosts, which its creation and its change share. */
    private static Message withHostFields(Message reservation) {
        return reservation
                .withOptional(
                        "min", count("The fewest hosts that are of use.", HostPlanning.MAX_HOSTS))
                .withOptional(
                        "max", count("The most hosts that are wanted.", HostPlanning.MAX_HOSTS))
                .withOptional("hypervisor_properties", filter())
                .withOptional("resource_properties", filter());
    }
}
