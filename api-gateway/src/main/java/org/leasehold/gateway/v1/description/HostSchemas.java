package org.leasehold.gateway.v1.description;

import static org.leasehold.gateway.v1.description.Fields.END;
import static org.leasehold.gateway.v1.description.Fields.LEASE_ID;
import static org.leasehold.gateway.v1.description.Fields.MADE;
import static org.leasehold.gateway.v1.description.Fields.RESERVATION_ID;
import static org.leasehold.gateway.v1.description.Fields.START;
import static org.leasehold.gateway.v1.description.Fields.changed;
import static org.leasehold.gateway.v1.description.Fields.digits;
import static org.leasehold.gateway.v1.description.Fields.flag;
import static org.leasehold.gateway.v1.description.Fields.list;
import static org.leasehold.gateway.v1.description.Fields.message;
import static org.leasehold.gateway.v1.description.Fields.moment;
import static org.leasehold.gateway.v1.description.Fields.nothing;
import static org.leasehold.gateway.v1.description.Fields.number;
import static org.leasehold.gateway.v1.description.Fields.orNull;
import static org.leasehold.gateway.v1.description.Fields.reference;
import static org.leasehold.gateway.v1.description.Fields.second;
import static org.leasehold.gateway.v1.description.Fields.text;
import static org.leasehold.gateway.v1.description.Fields.uuid;
import static org.leasehold.gateway.v1.description.Fields.wrapper;
import static org.leasehold.gateway.v1.description.Fields.wrapperOfAll;

import io.swagger.v3.oas.models.media.Schema;

import java.util.Map;

/** Schemas of hosts, their allocations, and requests about them. */
final class HostSchemas {

    private HostSchemas() {}

    static void addTo(Map<String, Schema<?>> schemas) {
        addAnswers(schemas);
        addRequests(schemas);
        addProperties(schemas);
    }

    private static void addAnswers(Map<String, Schema<?>> schemas) {
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

    private static void addRequests(Map<String, Schema<?>> schemas) {
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
        Schema<?> change =
                message("Adds and overwrites extra capabilities; null removes one.")
                        .others(orNull(capability()));
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
}
