package org.leasehold.gateway.v1.description;

import static org.leasehold.gateway.v1.description.FieldSchemas.END;
import static org.leasehold.gateway.v1.description.FieldSchemas.EXAMPLE_TIMESTAMP;
import static org.leasehold.gateway.v1.description.FieldSchemas.LEASE_ID;
import static org.leasehold.gateway.v1.description.FieldSchemas.RESERVATION_ID;
import static org.leasehold.gateway.v1.description.FieldSchemas.START;
import static org.leasehold.gateway.v1.description.FieldSchemas.alwaysNull;
import static org.leasehold.gateway.v1.description.FieldSchemas.digits;
import static org.leasehold.gateway.v1.description.FieldSchemas.flag;
import static org.leasehold.gateway.v1.description.FieldSchemas.lastChangedAt;
import static org.leasehold.gateway.v1.description.FieldSchemas.list;
import static org.leasehold.gateway.v1.description.FieldSchemas.message;
import static org.leasehold.gateway.v1.description.FieldSchemas.microsecondDate;
import static org.leasehold.gateway.v1.description.FieldSchemas.number;
import static org.leasehold.gateway.v1.description.FieldSchemas.orNull;
import static org.leasehold.gateway.v1.description.FieldSchemas.reference;
import static org.leasehold.gateway.v1.description.FieldSchemas.secondDate;
import static org.leasehold.gateway.v1.description.FieldSchemas.text;
import static org.leasehold.gateway.v1.description.FieldSchemas.uuid;
import static org.leasehold.gateway.v1.description.FieldSchemas.wrapper;
import static org.leasehold.gateway.v1.description.FieldSchemas.wrapperOfAll;

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
                        .withRequired("id", digits("Its id: digits.", "1"))
                        .withRequired(
                                "hypervisor_hostname", text("Its name in the cloud.", "compute-1"))
                        .withRequired("service_name", text("Its compute service.", "compute-1"))
                        .withRequired(
                                "hypervisor_type", text("The kind of its hypervisor.", "QEMU"))
                        .withRequired(
                                "hypervisor_version",
                                number("Its hypervisor's version.", 8_002_000))
                        .withRequired("vcpus", number("How many virtual processors it has.", 16))
                        .withRequired("memory_mb", number("How much memory it has.", 65_536))
                        .withRequired("local_gb", number("How much disk it has.", 1_000))
                        .withRequired(
                                "cpu_info",
                                text(
                                        "Its processors, as a text that holds JSON, or empty.",
                                        "{\"arch\": \"x86_64\"}"))
                        .withRequired("availability_zone", text("Its zone, or empty.", "nova"))
                        .withRequired("status", alwaysNull("Always null."))
                        .withRequired("reservable", flag("Whether it is in service.", true))
                        .withRequired(
                                "trust_id", alwaysNull("Always null: a trust is a credential."))
                        .withRequired(
                                "created_at",
                                secondDate("When it was enrolled.", EXAMPLE_TIMESTAMP))
                        .withRequired("updated_at", lastChangedAt())
                        .withOthers(text("An extra capability.", "V100")));
        schemas.put(
                "BlazarAllocationAnswer",
                wrapper("Who holds a host.", "allocation", "BlazarAllocation"));
        schemas.put(
                "BlazarAllocationList",
                wrapperOfAll("Who holds which hosts.", "allocations", "BlazarAllocation"));
        schemas.put(
                "BlazarAllocation",
                message("A host, and which reservations hold it.")
                        .withRequired("resource_id", digits("The host's id.", "1"))
                        .withRequired(
                                "reservations",
                                list("Who holds it, by start.", reference("BlazarHold")))
                        .closed());
        schemas.put(
                "BlazarHold",
                message("A reservation's hold on a host.")
                        .withRequired("id", uuid("The reservation's id.", RESERVATION_ID))
                        .withRequired("lease_id", uuid("The lease that it is of.", LEASE_ID))
                        .withRequired("start_date", microsecondDate("From when on.", START))
                        .withRequired("end_date", microsecondDate("Until when.", END))
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
                        .withRequired("name", name)
                        .withOthers(capability()));
        Schema<?> change =
                message("Adds and overwrites extra capabilities; null removes one.")
                        .withOthers(orNull(capability()));
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
                        .withRequired("property", text("Its name.", "gpu"))
                        .withOptional("private", flag("Whether only administrators see it.", false))
                        .withOptional(
                                "values",
                                list("The values that hosts have of it.", text("A value.", "V100")))
                        .closed());
        schemas.put(
                "BlazarPropertyChange",
                message("Hides an extra capability, or shows it. Other fields mean nothing.")
                        .withRequired("private", flag("Whether only administrators see it.", true))
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
                        .withRequired("id", uuid("Its id.", "6a85369f-baa1-4244-9707-0987f65169e4"))
                        .withRequired(
                                "resource_type", text("The kind of resource.", "physical:host"))
                        .withRequired("property_name", text("Its name.", "gpu"))
                        .withRequired("private", flag("Whether only administrators see it.", true))
                        .withRequired(
                                "created_at",
                                microsecondDate("When it was first said of a host.", START))
                        .withRequired(
                                "updated_at", orNull(microsecondDate("When it last changed.", END)))
                        .closed());
    }
}
