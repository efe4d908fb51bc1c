package org.leasehold.gateway.v1.description;

import static org.leasehold.gateway.v1.description.Fields.END;
import static org.leasehold.gateway.v1.description.Fields.LEASE_ID;
import static org.leasehold.gateway.v1.description.Fields.MADE;
import static org.leasehold.gateway.v1.description.Fields.RESERVATION_ID;
import static org.leasehold.gateway.v1.description.Fields.START;
import static org.leasehold.gateway.v1.description.Fields.anyOf;
import static org.leasehold.gateway.v1.description.Fields.changed;
import static org.leasehold.gateway.v1.description.Fields.count;
import static org.leasehold.gateway.v1.description.Fields.flag;
import static org.leasehold.gateway.v1.description.Fields.list;
import static org.leasehold.gateway.v1.description.Fields.message;
import static org.leasehold.gateway.v1.description.Fields.minute;
import static org.leasehold.gateway.v1.description.Fields.moment;
import static org.leasehold.gateway.v1.description.Fields.nothing;
import static org.leasehold.gateway.v1.description.Fields.number;
import static org.leasehold.gateway.v1.description.Fields.oneOf;
import static org.leasehold.gateway.v1.description.Fields.orNull;
import static org.leasehold.gateway.v1.description.Fields.reference;
import static org.leasehold.gateway.v1.description.Fields.second;
import static org.leasehold.gateway.v1.description.Fields.text;
import static org.leasehold.gateway.v1.description.Fields.uuid;
import static org.leasehold.gateway.v1.description.Fields.wrapper;
import static org.leasehold.gateway.v1.description.Fields.wrapperOfAll;

import io.swagger.v3.oas.models.media.Schema;

import org.leasehold.resource.host.HostPlanning;

import java.util.Map;

/** Schemas of leases and of requests about them. */
final class LeaseSchemas {

    private static final String FILTER_EXAMPLE = "[\"==\", \"$gpu\", \"V100\"]";

    private LeaseSchemas() {}

    static void addTo(Map<String, Schema<?>> schemas) {
        addAnswers(schemas);
        addRequests(schemas);
    }

    private static void addAnswers(Map<String, Schema<?>> schemas) {
        schemas.put("BlazarLeaseAnswer", wrapper("A lease.", "lease", "BlazarLease"));
        schemas.put(
                "BlazarLeaseList", wrapperOfAll("Leases, oldest first.", "leases", "BlazarLease"));
        schemas.put(
                "BlazarLease",
                message("A lease with all its reservations and scheduled events.")
                        .with("id", uuid("The lease's id.", LEASE_ID))
                        .with("name", text("Its name; names may be taken twice.", "nightly-build"))
                        .with("user_id", text("Who made it.", "u1"))
                        .with("project_id", text("The project that it is of.", "p1"))
                        .with("trust_id", nothing("Always null: a trust is a credential."))
                        .with("start_date", moment("Its window begins.", START))
                        .with("end_date", moment("Its window ends.", END))
                        .with(
                                "status",
                                status(
                                        "Where it is in its life; a start that waits for others is"
                                                + " STARTING."))
                        .with(
                                "degraded",
                                flag("Whether a reservation lacks or swapped hosts.", false))
                        .with("created_at", second("When it was accepted.", MADE))
                        .with("updated_at", changed())
                        .with(
                                "reservations",
                                list("What it holds, in no order.", reference("BlazarReservation")))
                        .with(
                                "events",
                                list("Its timed steps, in no order.", reference("BlazarEvent")))
                        .closed());
        schemas.put("BlazarReservation", reservation());
        schemas.put(
                "BlazarEvent",
                message("A timed step of a lease's life.")
                        .with("id", uuid("Its id.", "7da42343-dbc6-4888-b014-11f9f9da7780"))
                        .with("lease_id", uuid("The lease that it is of.", LEASE_ID))
                        .with(
                                "event_type",
                                oneOf(
                                        "Which step.",
                                        "start_lease",
                                        "before_end_lease",
                                        "end_lease"))
                        .with("time", moment("When it is due.", START))
                        .with(
                                "status",
                                oneOf("How far it is.", "UNDONE", "IN_PROGRESS", "DONE", "ERROR"))
                        .with("created_at", second("When it was planned.", MADE))
                        .with("updated_at", changed())
                        .closed());
    }

    /** Returns the schema of a reservation; kinds other than hosts have their plug-ins' fields. */
    private static Schema<?> reservation() {
        return message(
                        "What a lease has of one kind of resource. The fields from min to"
                            + " before_end are those of physical:host, those from vcpus to"
                            + " server_group_id of virtual:instance and flavor:instance, those that"
                            + " begin with network of virtual:network, those from volume_type to"
                            + " on_end of virtual:volume, on_end and those that begin with server"
                            + " or on of virtual:server, those from stack_id to on_end of"
                            + " virtual:stack, with a reservation within for each of its parts, and"
                            + " all others have resource_properties; another kind has its"
                            + " plugin's.")
                .with("id", uuid("Its id.", RESERVATION_ID))
                .with("lease_id", uuid("The lease that it is of.", LEASE_ID))
                .with(
                        "resource_id",
                        uuid(
                                "The id of the plugin's own record of it.",
                                "98c0fe93-2a2c-4800-831b-89480d3b1834"))
                .with("resource_type", text("The kind of resource.", "physical:host"))
                .with(
                        "status",
                        oneOf("Where it is in its life.", "pending", "active", "deleted", "error"))
                .with("missing_resources", flag("Whether it lacks resources.", false))
                .with("resources_changed", flag("Whether any was swapped for another.", false))
                .with("created_at", second("When it was accepted.", MADE))
                .with("updated_at", changed())
                .maybe("min", number("The fewest hosts that are of use.", 1))
                .maybe("max", number("The most hosts that are wanted.", 2))
                .maybe("hypervisor_properties", text("A filter of hosts, or empty.", ""))
                .maybe(
                        "resource_properties",
                        text(
                                "A filter of resources, or empty; of flavor:instance, the flavor"
                                        + " that was asked for, as JSON.",
                                FILTER_EXAMPLE))
                .maybe("before_end", text("What is done before the end.", "default"))
                .maybe("network_id", orNull(uuid("The network, once it is made.", RESERVATION_ID)))
                .maybe("network_name", text("What the network is called.", "lab"))
                .maybe("network_description", text("What it is described as.", ""))
                .maybe("network_properties", text("A filter of segments, or empty.", ""))
                .maybe("vcpus", number("The cores of one slot.", 2))
                .maybe("memory_mb", number("The memory of one slot.", 4096))
                .maybe("disk_gb", number("The disk of one slot.", 20))
                .maybe("amount", number("How many slots.", 3))
                .maybe("affinity", orNull(flag("All on one host, or each on another.", true)))
                .maybe("flavor_id", uuid("The flavor to boot servers with.", RESERVATION_ID))
                .maybe("aggregate_id", orNull(number("The hosts' aggregate, if known.", 7)))
                .maybe(
                        "server_group_id",
                        orNull(uuid("The group of the servers, if known.", RESERVATION_ID)))
                .maybe("volume_type", orNull(text("The type of a new volume.", "gold")))
                .maybe("size", orNull(number("How many GiB a new volume has.", 20)))
                .maybe("name", orNull(text("What a new volume is called.", "data")))
                .maybe("description", orNull(text("What it is described as.", "")))
                .maybe("volume_id", orNull(uuid("The volume, once it is made.", RESERVATION_ID)))
                .maybe("on_end", text("What becomes of it at the end.", "delete"))
                .maybe("server_id", uuid("Which of the project's servers it is.", RESERVATION_ID))
                .maybe("on_start", text("What becomes of the server at the start.", "unshelve"))
                .maybe("availability_zone", text("Where the server is.", "nova"))
                .open();
    }

    private static void addRequests(Map<String, Schema<?>> schemas) {
        schemas.put(
                "BlazarNewLease",
                message("Asks for a lease. Other fields mean nothing, events among them.")
                        .with("name", name())
                        .with(
                                "start_date",
                                minute(
                                        "The window begins; now is the present minute.",
                                        "2026-11-21 00:33",
                                        "now"))
                        .with(
                                "end_date",
                                minute(
                                        "The window ends, later than it begins.",
                                        "2026-11-21 02:33",
                                        "now"))
                        .maybe("before_end_date", announcement())
                        .maybe(
                                "reservations",
                                list(
                                        "What is asked for; nothing, if it is left out.",
                                        reference("BlazarNewReservation")))
                        .open());
        schemas.put(
                "BlazarNewReservation",
                message(
                                "What is asked of one kind of resource. The other fields are those"
                                    + " of physical:host, of which min, max and both filters have"
                                    + " to be there; virtual:instance has those of"
                                    + " VirtualInstanceParameters, flavor:instance those of"
                                    + " FlavorInstanceParameters, virtual:network (or network)"
                                    + " those of VirtualNetworkParameters, virtual:volume those of"
                                    + " VirtualVolumeParameters, virtual:server those of"
                                    + " VirtualServerParameters, virtual:stack those of"
                                    + " VirtualStackParameters, another kind its plugin's.")
                        .with("resource_type", resourceType())
                        .maybe(
                                "min",
                                count("The fewest hosts that are of use.", HostPlanning.MOST_HOSTS))
                        .maybe(
                                "max",
                                count("The most hosts that are wanted.", HostPlanning.MOST_HOSTS))
                        .maybe("hypervisor_properties", filter())
                        .maybe("resource_properties", filter())
                        .maybe(
                                "before_end",
                                oneOf("What is done before the end.", "", "default", "snapshot"))
                        .maybe(
                                "selection",
                                oneOf("Which of the free hosts to take.", "first_fit", "spread"))
                        .open());
        schemas.put(
                "BlazarLeaseChange",
                message(
                                "Changes a lease, all of it or nothing; what is left out stays."
                                        + " Other fields mean nothing, events among them.")
                        .maybe("name", name())
                        .maybe("start_date", minute("Another begin.", "2026-11-21 00:33", "now"))
                        .maybe("end_date", minute("Another end.", "2026-11-21 03:33", "now"))
                        .maybe("before_end_date", announcement())
                        .maybe(
                                "reservations",
                                list(
                                        "What changes of which reservations.",
                                        reference("BlazarReservationChange")))
                        .open());
        schemas.put(
                "BlazarReservationChange",
                message("New values for some fields of a reservation; what is left out stays.")
                        .with("id", uuid("The reservation's id.", RESERVATION_ID))
                        .maybe(
                                "resource_type",
                                text("Cannot change; the present one will do.", "physical:host"))
                        .maybe(
                                "min",
                                count("The fewest hosts that are of use.", HostPlanning.MOST_HOSTS))
                        .maybe(
                                "max",
                                count("The most hosts that are wanted.", HostPlanning.MOST_HOSTS))
                        .maybe("hypervisor_properties", filter())
                        .maybe("resource_properties", filter())
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
                minute(
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
