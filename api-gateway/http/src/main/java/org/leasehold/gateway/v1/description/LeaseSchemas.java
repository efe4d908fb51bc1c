package org.leasehold.gateway.v1.description;

import static org.leasehold.gateway.v1.description.FieldSchemas.END;
import static org.leasehold.gateway.v1.description.FieldSchemas.EXAMPLE_TIMESTAMP;
import static org.leasehold.gateway.v1.description.FieldSchemas.LEASE_ID;
import static org.leasehold.gateway.v1.description.FieldSchemas.RESERVATION_ID;
import static org.leasehold.gateway.v1.description.FieldSchemas.START;
import static org.leasehold.gateway.v1.description.FieldSchemas.alwaysNull;
import static org.leasehold.gateway.v1.description.FieldSchemas.flag;
import static org.leasehold.gateway.v1.description.FieldSchemas.lastChangedAt;
import static org.leasehold.gateway.v1.description.FieldSchemas.list;
import static org.leasehold.gateway.v1.description.FieldSchemas.message;
import static org.leasehold.gateway.v1.description.FieldSchemas.microsecondDate;
import static org.leasehold.gateway.v1.description.FieldSchemas.number;
import static org.leasehold.gateway.v1.description.FieldSchemas.oneOf;
import static org.leasehold.gateway.v1.description.FieldSchemas.orNull;
import static org.leasehold.gateway.v1.description.FieldSchemas.reference;
import static org.leasehold.gateway.v1.description.FieldSchemas.secondDate;
import static org.leasehold.gateway.v1.description.FieldSchemas.text;
import static org.leasehold.gateway.v1.description.FieldSchemas.uuid;
import static org.leasehold.gateway.v1.description.FieldSchemas.wrapper;
import static org.leasehold.gateway.v1.description.FieldSchemas.wrapperOfAll;

import io.swagger.v3.oas.models.media.Schema;

import org.leasehold.gateway.v1.description.FieldSchemas.Message;

import java.util.Map;

/** Schemas of leases. */
final class LeaseSchemas {

    static final String FILTER_EXAMPLE = "[\"==\", \"$gpu\", \"V100\"]";

    private LeaseSchemas() {}

    static void addTo(Map<String, Schema<?>> schemas) {
        schemas.put("BlazarLeaseAnswer", wrapper("A lease.", "lease", "BlazarLease"));
        schemas.put(
                "BlazarLeaseList", wrapperOfAll("Leases, oldest first.", "leases", "BlazarLease"));
        schemas.put(
                "BlazarLease",
                message("A lease with all its reservations and scheduled events.")
                        .withRequired("id", uuid("The lease's id.", LEASE_ID))
                        .withRequired(
                                "name",
                                text("Its name; names may be taken twice.", "nightly-build"))
                        .withRequired("user_id", text("Who made it.", "u1"))
                        .withRequired("project_id", text("The project that it is of.", "p1"))
                        .withRequired(
                                "trust_id", alwaysNull("Always null: a trust is a credential."))
                        .withRequired("start_date", microsecondDate("Its window begins.", START))
                        .withRequired("end_date", microsecondDate("Its window ends.", END))
                        .withRequired(
                                "status",
                                status(
                                        "Where it is in its life; a start that waits for others is"
                                                + " STARTING."))
                        .withRequired(
                                "degraded",
                                flag("Whether a reservation lacks or swapped hosts.", false))
                        .withRequired(
                                "created_at",
                                secondDate("When it was accepted.", EXAMPLE_TIMESTAMP))
                        .withRequired("updated_at", lastChangedAt())
                        .withRequired(
                                "reservations",
                                list("What it holds, in no order.", reference("BlazarReservation")))
                        .withRequired(
                                "events",
                                list("Its timed steps, in no order.", reference("BlazarEvent")))
                        .closed());
        schemas.put("BlazarReservation", reservation());
        schemas.put(
                "BlazarEvent",
                message("A timed step of a lease's life.")
                        .withRequired("id", uuid("Its id.", "7da42343-dbc6-4888-b014-11f9f9da7780"))
                        .withRequired("lease_id", uuid("The lease that it is of.", LEASE_ID))
                        .withRequired(
                                "event_type",
                                oneOf(
                                        "Which step.",
                                        "start_lease",
                                        "before_end_lease",
                                        "end_lease"))
                        .withRequired("time", microsecondDate("When it is due.", START))
                        .withRequired(
                                "status",
                                oneOf("How far it is.", "UNDONE", "IN_PROGRESS", "DONE", "ERROR"))
                        .withRequired(
                                "created_at", secondDate("When it was planned.", EXAMPLE_TIMESTAMP))
                        .withRequired("updated_at", lastChangedAt())
                        .closed());
    }

    /** Returns the schema of a reservation; kinds other than hosts have their plug-ins' fields. */
    private static Schema<?> reservation() {
        Message reservation =
                message(
                                "What a lease has of one kind of resource. The fields from min to"
                                    + " before_end are those of physical:host, those from vcpus to"
                                    + " server_group_id of virtual:instance and flavor:instance,"
                                    + " those that begin with network of virtual:network, those"
                                    + " from volume_type to on_end of virtual:volume, on_end and"
                                    + " those that begin with server or on of virtual:server, those"
                                    + " from stack_id to on_end of virtual:stack, with a"
                                    + " reservation within for each of its parts, and all others"
                                    + " have resource_properties; another kind has its plugin's.")
                        .withRequired("id", uuid("Its id.", RESERVATION_ID))
                        .withRequired("lease_id", uuid("The lease that it is of.", LEASE_ID))
                        .withRequired(
                                "resource_id",
                                uuid(
                                        "The id of the plugin's own record of it.",
                                        "98c0fe93-2a2c-4800-831b-89480d3b1834"))
                        .withRequired(
                                "resource_type", text("The kind of resource.", "physical:host"))
                        .withRequired(
                                "status",
                                oneOf(
                                        "Where it is in its life.",
                                        "pending",
                                        "active",
                                        "deleted",
                                        "error"))
                        .withRequired(
                                "missing_resources", flag("Whether it lacks resources.", false))
                        .withRequired(
                                "resources_changed",
                                flag("Whether any was swapped for another.", false))
                        .withRequired(
                                "created_at",
                                secondDate("When it was accepted.", EXAMPLE_TIMESTAMP))
                        .withRequired("updated_at", lastChangedAt());
        addHostFields(reservation);
        addNetworkFields(reservation);
        addInstanceFields(reservation);
        addVolumeFields(reservation);
        addServerFields(reservation);
        return reservation.open();
    }

    private static void addHostFields(Message reservation) {
        reservation
                .withOptional("min", number("The fewest hosts that are of use.", 1))
                .withOptional("max", number("The most hosts that are wanted.", 2))
                .withOptional("hypervisor_properties", text("A filter of hosts, or empty.", ""))
                .withOptional(
                        "resource_properties",
                        text(
                                "A filter of resources, or empty; of flavor:instance, the flavor"
                                        + " that was asked for, as JSON.",
                                FILTER_EXAMPLE))
                .withOptional("before_end", text("What is done before the end.", "default"));
    }

    private static void addNetworkFields(Message reservation) {
        reservation
                .withOptional(
                        "network_id", orNull(uuid("The network, once it is made.", RESERVATION_ID)))
                .withOptional("network_name", text("What the network is called.", "lab"))
                .withOptional("network_description", text("What it is described as.", ""))
                .withOptional("network_properties", text("A filter of segments, or empty.", ""));
    }

    private static void addInstanceFields(Message reservation) {
        reservation
                .withOptional("vcpus", number("The cores of one slot.", 2))
                .withOptional("memory_mb", number("The memory of one slot.", 4096))
                .withOptional("disk_gb", number("The disk of one slot.", 20))
                .withOptional("amount", number("How many slots.", 3))
                .withOptional(
                        "affinity", orNull(flag("All on one host, or each on another.", true)))
                .withOptional("flavor_id", uuid("The flavor to boot servers with.", RESERVATION_ID))
                .withOptional("aggregate_id", orNull(number("The hosts' aggregate, if known.", 7)))
                .withOptional(
                        "server_group_id",
                        orNull(uuid("The group of the servers, if known.", RESERVATION_ID)));
    }

    private static void addVolumeFields(Message reservation) {
        reservation
                .withOptional("volume_type", orNull(text("The type of a new volume.", "gold")))
                .withOptional("size", orNull(number("How many GiB a new volume has.", 20)))
                .withOptional("name", orNull(text("What a new volume is called.", "data")))
                .withOptional("description", orNull(text("What it is described as.", "")))
                .withOptional(
                        "volume_id", orNull(uuid("The volume, once it is made.", RESERVATION_ID)))
                .withOptional("on_end", text("What becomes of it at the end.", "delete"));
    }

    private static void addServerFields(Message reservation) {
        reservation
                .withOptional(
                        "server_id", uuid("Which of the project's servers it is.", RESERVATION_ID))
                .withOptional(
                        "on_start", text("What becomes of the server at the start.", "unshelve"))
                .withOptional("availability_zone", text("Where the server is.", "nova"));
    }

    static Schema<?> status(String description) {
        return oneOf(
                description,
                "PENDING",
                "STARTING",
                "ACTIVE",
                "TERMINATING",
                "TERMINATED",
                "ERROR",
                "DELETING");
    }
}
