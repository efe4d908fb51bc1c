package org.leasehold.gateway.v1;

import static org.leasehold.gateway.v1.V1Fields.anyOf;
import static org.leasehold.gateway.v1.V1Fields.count;
import static org.leasehold.gateway.v1.V1Fields.flag;
import static org.leasehold.gateway.v1.V1Fields.list;
import static org.leasehold.gateway.v1.V1Fields.message;
import static org.leasehold.gateway.v1.V1Fields.minute;
import static org.leasehold.gateway.v1.V1Fields.moment;
import static org.leasehold.gateway.v1.V1Fields.nothing;
import static org.leasehold.gateway.v1.V1Fields.number;
import static org.leasehold.gateway.v1.V1Fields.oneOf;
import static org.leasehold.gateway.v1.V1Fields.orNull;
import static org.leasehold.gateway.v1.V1Fields.reference;
import static org.leasehold.gateway.v1.V1Fields.second;
import static org.leasehold.gateway.v1.V1Fields.text;
import static org.leasehold.gateway.v1.V1Fields.uuid;

import io.swagger.v3.oas.models.media.Schema;

import org.leasehold.resource.host.HostPlanning;

import java.util.Map;
import java.util.TreeMap;

/**
 * The messages of Blazar's API as its contract has them. They are written down, not derived: what
 * clients send is read leniently, and what they get is what they have always got.
 */
final class V1Schemas {

    static final String LEASE_ID = "5c1f5a7e-0f5d-4a52-8f0e-3f0d1c6a9b10";
    private static final String RESERVATION_ID = "0cd4d562-a4bf-409f-934f-82ec33c76bd7";
    private static final String MADE = "2026-11-21 00:33:09";
    private static final String START = "2026-11-21T00:33:00.000000";
    private static final String END = "2026-11-21T02:33:00.000000";
    private static final String FILTER_EXAMPLE = "[\"==\", \"$gpu\", \"V100\"]";

    private V1Schemas() {}

    static Map<String, Schema<?>> all() {
        Map<String, Schema<?>> schemas = new TreeMap<>();
        addLeases(schemas);
        addLeaseRequests(schemas);
        addHosts(schemas);
        addHostRequests(schemas);
        addProperties(schemas);
        addDiscovery(schemas);
        addErrors(schemas);
        return schemas;
    }

    private static void addLeases(Map<String, Schema<?>> schemas) {
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

    /** Other kinds than hosts have other fields: those of their plugins. */
    private static Schema<?> reservation() {
        return message(
                        "What a lease has of one kind of resource. The fields from min to"
                                + " before_end are those of physical:host; another kind has its"
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
                .maybe("resource_properties", text("A filter of hosts, or empty.", FILTER_EXAMPLE))
                .maybe("before_end", text("What is done before the end.", "default"))
                .open();
    }

    private static void addLeaseRequests(Map<String, Schema<?>> schemas) {
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
                                    + " to be there; another kind has its plugin's in their place.")
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

    private static void addHosts(Map<String, Schema<?>> schemas) {
        schemas.put("BlazarHostAnswer", wrapper("A host.", "host", "BlazarHost"));
        schemas.put("BlazarHostList", wrapperOfAll("Hosts, by id.", "hosts", "BlazarHost"));
        schemas.put(
                "BlazarHost",
                message("A host that can be leased. Every other field is an extra capability.")
                        .with("id", digits("Its id: digits.", "1"))
                        .with("hypervisor_hostname", text("Its name in the cloud.", "compute-1"))
                        .with("service_name", text("Its compute service.", "compute-1"))
                        .with("hypervisor_type", text("The kind of its hypervisor.", "QEMU"))
                        .with("hypervisor_version", number("Its hypervisor's version.", 8_002_000))
                        .with("vcpus", number("How many virtual processors it has.", 16))
                        .with("memory_mb", number("How much memory it has.", 65_536))
                        .with("local_gb", number("How much disk it has.", 1_000))
                        .with(
                                "cpu_info",
                                text(
                                        "Its processors, as a text that holds JSON, or empty.",
                                        "{\"arch\": \"x86_64\"}"))
                        .with("availability_zone", text("Its zone, or empty.", "nova"))
                        .with("status", nothing("Always null."))
                        .with("reservable", flag("Whether it is in service.", true))
                        .with("trust_id", nothing("Always null: a trust is a credential."))
                        .with("created_at", second("When it was enrolled.", MADE))
                        .with("updated_at", changed())
                        .others(text("An extra capability.", "V100")));
        schemas.put(
                "BlazarAllocationAnswer",
                wrapper("Who holds a host.", "allocation", "BlazarAllocation"));
        schemas.put(
                "BlazarAllocationList",
                wrapperOfAll("Who holds which hosts.", "allocations", "BlazarAllocation"));
        schemas.put(
                "BlazarAllocation",
                message("A host, and which reservations hold it.")
                        .with("resource_id", digits("The host's id.", "1"))
                        .with(
                                "reservations",
                                list("Who holds it, by start.", reference("BlazarHold")))
                        .closed());
        schemas.put(
                "BlazarHold",
                message("A reservation's hold on a host.")
                        .with("id", uuid("The reservation's id.", RESERVATION_ID))
                        .with("lease_id", uuid("The lease that it is of.", LEASE_ID))
                        .with("start_date", moment("From when on.", START))
                        .with("end_date", moment("Until when.", END))
                        .closed());
    }

    private static void addHostRequests(Map<String, Schema<?>> schemas) {
        Schema<?> name =
                text(
                        "What the cloud calls the host; id is taken for it where it is missing.",
                        "compute-1");
        name.addType("integer");
        name.setPattern("\\S");
        schemas.put(
                "BlazarNewHost",
                message(
                                "Makes a host of the cloud leasable. Every other field is an extra"
                                        + " capability, unless the cloud says it of the host.")
                        .with("name", name)
                        .others(capability()));
        Schema<?> change = message("Adds and overwrites extra capabilities.").others(capability());
        change.setMinProperties(1);
        schemas.put("BlazarHostChange", change);
    }

    private static Schema<?> capability() {
        Schema<?> schema = text("An extra capability; it is kept as a text.", "V100");
        schema.addType("number");
        schema.addType("boolean");
        return schema;
    }

    private static void addProperties(Map<String, Schema<?>> schemas) {
        schemas.put(
                "BlazarPropertyList",
                wrapperOfAll(
                        "Extra capabilities of hosts, by name.",
                        "resource_properties",
                        "BlazarProperty"));
        schemas.put(
                "BlazarProperty",
                message("An extra capability.")
                        .with("property", text("Its name.", "gpu"))
                        .maybe("private", flag("Whether only administrators see it.", false))
                        .maybe(
                                "values",
                                list("The values that hosts have of it.", text("A value.", "V100")))
                        .closed());
        schemas.put(
                "BlazarPropertyChange",
                message("Hides an extra capability, or shows it. Other fields mean nothing.")
                        .with("private", flag("Whether only administrators see it.", true))
                        .open());
        schemas.put(
                "BlazarChangedPropertyAnswer",
                wrapper(
                        "An extra capability that was changed.",
                        "resource_property",
                        "BlazarChangedProperty"));
        schemas.put(
                "BlazarChangedProperty",
                message("An extra capability that was changed.")
                        .with("id", uuid("Its id.", "6a85369f-baa1-4244-9707-0987f65169e4"))
                        .with("resource_type", text("The kind of resource.", "physical:host"))
                        .with("property_name", text("Its name.", "gpu"))
                        .with("private", flag("Whether only administrators see it.", true))
                        .with("created_at", moment("When it was first said of a host.", START))
                        .with("updated_at", orNull(moment("When it last changed.", END)))
                        .closed());
    }

    private static void addDiscovery(Map<String, Schema<?>> schemas) {
        schemas.put(
                "BlazarPlugins",
                message("What can be leased.")
                        .with(
                                "plugins",
                                list("The kinds, by name.", text("A kind.", "physical:host")))
                        .closed());
        schemas.put(
                "BlazarVersions",
                wrapperOfAll("The versions that there are.", "versions", "BlazarVersion"));
        schemas.put(
                "BlazarVersion",
                message("A version of the API.")
                        .with("id", text("Its id.", "v1.0"))
                        .with("status", text("Whether to use it.", "CURRENT"))
                        .with("min_version", text("The lowest microversion.", "1.0"))
                        .with("max_version", text("The highest microversion.", "1.0"))
                        .with("links", list("Where it is.", reference("BlazarLink")))
                        .closed());
        schemas.put(
                "BlazarLink",
                message("A link.")
                        .with("rel", text("What it leads to.", "self"))
                        .with("href", text("Where it leads.", "http://127.0.0.1:1234/v1"))
                        .closed());
    }

    private static void addErrors(Map<String, Schema<?>> schemas) {
        schemas.put(
                "BlazarError",
                anyOf(
                        "One of three forms; clients look at error_message only.",
                        reference("BlazarRefusal"),
                        reference("BlazarUnreadable"),
                        reference("BlazarUnauthenticated")));
        Schema<?> name = number("The same again, or INTERNAL_SERVER_ERROR.", 409);
        name.addType("string");
        schemas.put(
                "BlazarRefusal",
                message("What was understood, but not done.")
                        .with("error_code", number("The status.", 409))
                        .with("error_message", text("Why.", "Not enough hosts available"))
                        .with("error_name", name)
                        .maybe(
                                "reasons",
                                list(
                                        "What the calendar lacks, where that is why.",
                                        reference("BlazarShortage")))
                        .closed());
        schemas.put(
                "BlazarShortage",
                message("Why the calendar cannot hold a reservation.")
                        .with("resource_type", text("The kind of resource.", "physical:host"))
                        .with("wanted", number("How many are wanted at least.", 3))
                        .with("matching", number("How many meet the filters at all.", 2))
                        .with("free", number("How many of them are free throughout.", 1))
                        .with(
                                "scarce_from",
                                moment("The part in which the fewest are free.", START))
                        .with("scarce_until", moment("Where that part ends.", END))
                        .with("free_then", number("How many are free throughout that part.", 0))
                        .with(
                                "next_start",
                                orNull(moment("The earliest later start that it could have.", END)))
                        .closed());
        schemas.put(
                "BlazarUnreadable",
                message("What was not understood, or is nowhere.")
                        .with("error", number("The status.", 404))
                        .with(
                                "error_message",
                                text("Why.", "The requested URL was not found on the server."))
                        .closed());
        schemas.put(
                "BlazarUnauthenticated",
                message("Nobody is known to ask.")
                        .with("error", reference("BlazarUnauthenticatedError", "What is wrong."))
                        .closed());
        schemas.put(
                "BlazarUnauthenticatedError",
                message("Nobody is known to ask.")
                        .with("code", number("The status.", 401))
                        .with("title", text("The status for people.", "Unauthorized"))
                        .with(
                                "message",
                                text("Why.", "The request you have made requires authentication."))
                        .closed());
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

    private static Schema<?> changed() {
        return orNull(second("When it last changed; null before.", MADE));
    }

    private static Schema<?> digits(String description, String example) {
        Schema<?> schema = text(description, example);
        schema.setPattern("^[0-9]+$");
        return schema;
    }

    private static Schema<?> wrapper(String description, String field, String content) {
        return message(description).with(field, reference(content, description)).closed();
    }

    private static Schema<?> wrapperOfAll(String description, String field, String content) {
        return message(description).with(field, list(description, reference(content))).closed();
    }
}
