package org.leasehold.gateway.api;

import io.swagger.v3.oas.models.media.Schema;

import org.leasehold.resource.host.HostPlanning;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The form of a reservation's parameters. It is the plugin's of the kind, and kinds are open; that
 * of whole hosts is the one we know.
 */
final class ParameterSchemas {

    static final String FIELD = "parameters";
    static final String WISH = "ReservationParameters";
    static final String CHANGES = "ReservationParameterChanges";

    private static final String HOST = "PhysicalHostParameters";
    private static final String HOST_CHANGES = "PhysicalHostParameterChanges";

    private static final String FILTER = "Filter";

    private ParameterSchemas() {}

    static Map<String, Schema<?>> all() {
        Map<String, Schema<?>> schemas = new TreeMap<>();
        schemas.put(FILTER, filterList());
        schemas.put(HOST_CHANGES, hostChanges());
        schemas.put(HOST, host());
        schemas.put(WISH, ofAnyKind(HOST));
        schemas.put(CHANGES, ofAnyKind(HOST_CHANGES));
        return schemas;
    }

    private static Schema<?> ofAnyKind(String host) {
        Schema<?> other = typed("object");
        other.setAdditionalProperties(true);
        other.setDescription("Of any other kind: what its plugin understands.");
        Schema<?> any = new Schema<>();
        any.setDescription("The one free-form field: its form depends on the reservation's kind.");
        any.addAnyOfItem(reference(host));
        any.addAnyOfItem(other);
        return any;
    }

    private static Schema<?> host() {
        Schema<?> schema = hostChanges();
        schema.setDescription("Of the kind physical:host.");
        schema.addProperty("before_end", choice("", "default", "snapshot"));
        schema.addProperty("selection", choice("first_fit", "spread"));
        schema.setRequired(List.of("hypervisor_properties", "max", "min", "resource_properties"));
        return schema;
    }

    private static Schema<?> hostChanges() {
        Schema<?> schema = typed("object");
        schema.setDescription("Of the kind physical:host; what is left out stays.");
        schema.addProperty("min", count("The reservation is of no use with fewer hosts."));
        schema.addProperty("max", count("More hosts are not wanted."));
        schema.addProperty("hypervisor_properties", filter());
        schema.addProperty("resource_properties", filter());
        return schema;
    }

    private static Schema<?> count(String description) {
        Schema<?> schema = typed("integer");
        schema.setDescription(description);
        schema.setMinimum(BigDecimal.ONE);
        schema.setMaximum(BigDecimal.valueOf(HostPlanning.MOST_HOSTS));
        return schema;
    }

    private static Schema<?> filter() {
        Schema<?> schema = new Schema<>();
        schema.addAnyOfItem(typed("string"));
        schema.addAnyOfItem(reference(FILTER));
        schema.setDescription("A filter as a list, or a text that holds one; empty for any host.");
        return schema;
    }

    private static Schema<?> filterList() {
        Schema<?> value = typed("string");
        value.addType("number");
        Schema<?> item = new Schema<>();
        item.addAnyOfItem(value);
        item.addAnyOfItem(reference(FILTER));
        Schema<?> schema = typed("array");
        schema.setItems(item);
        schema.setDescription(
                "What each host must be, as Blazar has it: [\"==\", \"$gpu\", \"V100\"], with and,"
                        + " or, not and in.");
        return schema;
    }

    private static Schema<?> reference(String schema) {
        return new Schema<>().$ref("#/components/schemas/" + schema);
    }

    private static Schema<?> choice(String... words) {
        Schema<String> schema = new Schema<>();
        schema.addType("string");
        schema.setEnum(List.of(words));
        return schema;
    }

    private static Schema<?> typed(String type) {
        Schema<?> schema = new Schema<>();
        schema.addType(type);
        return schema;
    }
}
