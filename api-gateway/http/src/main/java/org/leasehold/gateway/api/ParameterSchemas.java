package org.leasehold.gateway.api;

import io.swagger.v3.oas.models.media.Schema;

import org.leasehold.resource.host.HostPlanning;
import org.leasehold.resource.instance.InstancePlanning;
import org.leasehold.resource.network.NetworkPlanning;
import org.leasehold.resource.parameter.ParameterKeyword;
import org.leasehold.resource.server.ServerEndAction;
import org.leasehold.resource.server.ServerStartAction;
import org.leasehold.resource.volume.VolumePlanning;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The schemas of a reservation's parameters. The plug-in of a kind defines its parameters, and
 * kinds are open; this file has those of whole hosts, instances, networks, volumes and servers.
 */
final class ParameterSchemas {

    static final String PARAMETERS_FIELD = "parameters";
    static final String REQUEST = "ReservationParameters";
    static final String CHANGES = "ReservationParameterChanges";

    private static final String HOST = "PhysicalHostParameters";
    private static final String HOST_CHANGES = "PhysicalHostParameterChanges";

    private static final String INSTANCE = "VirtualInstanceParameters";
    private static final String INSTANCE_CHANGES = "VirtualInstanceParameterChanges";

    private static final String FLAVOR = "FlavorInstanceParameters";
    private static final String FLAVOR_CHANGES = "FlavorInstanceParameterChanges";
    private static final String NETWORK = "VirtualNetworkParameters";
    private static final String NETWORK_CHANGES = "VirtualNetworkParameterChanges";

    private static final String VOLUME = "VirtualVolumeParameters";
    private static final String VOLUME_CHANGES = "VirtualVolumeParameterChanges";

    private static final String SERVER = "VirtualServerParameters";
    private static final String SERVER_CHANGES = "VirtualServerParameterChanges";

    private static final String STACK = "VirtualStackParameters";
    private static final String STACK_CHANGES = "VirtualStackParameterChanges";

    private static final String HEAT_OBJECT = "HeatObject";

    private static final String FILTER = "Filter";

    private ParameterSchemas() {}

    static Map<String, Schema<?>> all() {
        Map<String, Schema<?>> schemas = new TreeMap<>();
        schemas.put(FILTER, filterList());
        schemas.put(FLAVOR_CHANGES, flavorChanges());
        schemas.put(FLAVOR, flavor());
        schemas.put(HEAT_OBJECT, heatObject());
        schemas.put(HOST_CHANGES, hostChanges());
        schemas.put(HOST, host());
        schemas.put(INSTANCE_CHANGES, instanceChanges());
        schemas.put(INSTANCE, instance());
        schemas.put(NETWORK_CHANGES, networkChanges());
        schemas.put(NETWORK, network());
        schemas.put(SERVER_CHANGES, serverChanges());
        schemas.put(SERVER, server());
        schemas.put(STACK_CHANGES, stackChanges());
        schemas.put(STACK, stack());
        schemas.put(VOLUME_CHANGES, volumeChanges());
        schemas.put(VOLUME, volume());
        schemas.put(REQUEST, ofAnyKind(HOST, INSTANCE, FLAVOR, NETWORK, VOLUME, SERVER, STACK));
        schemas.put(
                CHANGES,
                ofAnyKind(
                        HOST_CHANGES,
                        INSTANCE_CHANGES,
                        FLAVOR_CHANGES,
                        NETWORK_CHANGES,
                        VOLUME_CHANGES,
                        SERVER_CHANGES,
                        STACK_CHANGES));
        return schemas;
    }

    private static Schema<?> ofAnyKind(String host, String... more) {
        Schema<?> other = ofType("object");
        other.setAdditionalProperties(true);
        other.setDescription("Of any other kind: what its plugin understands.");
        Schema<?> any = new Schema<>();
        any.setDescription("The one free-form field: its form depends on the reservation's kind.");
        any.addAnyOfItem(reference(host));
        any.addAnyOfItem(other);
        for (String known : more) {
            any.addAnyOfItem(reference(known));
        }
        return any;
    }

    private static Schema<?> host() {
        Schema<?> schema = hostChanges();
        schema.setDescription("Of the kind physical:host.");
        schema.addProperty("before_end", enumeration("", "default", "snapshot"));
        schema.addProperty("selection", enumeration("first_fit", "spread"));
        schema.setRequired(List.of("max", "min"));
        return schema;
    }

    private static Schema<?> hostChanges() {
        Schema<?> schema = ofType("object");
        schema.setDescription("Of the kind physical:host; what is left out stays.");
        int maxHosts = HostPlanning.MAX_HOSTS;
        schema.addProperty(
                "min", number("The reservation is of no use with fewer hosts.", 1, maxHosts));
        schema.addProperty("max", number("More hosts are not wanted.", 1, maxHosts));
        schema.addProperty("hypervisor_properties", filter());
        schema.addProperty("resource_properties", filter());
        return schema;
    }

    private static Schema<?> instance() {
        Schema<?> schema = instanceChanges();
        schema.setDescription("Of the kind virtual:instance.");
        schema.setRequired(List.of("amount", "disk_gb", "memory_mb", "vcpus"));
        return schema;
    }

    private static Schema<?> instanceChanges() {
        int maxSize = InstancePlanning.MAX_SIZE;
        Schema<?> schema = ofType("object");
        schema.setDescription("Of the kind virtual:instance; what is left out stays.");
        schema.addProperty("vcpus", number("The cores of one slot.", 1, maxSize));
        schema.addProperty("memory_mb", number("The memory of one slot.", 1, maxSize));
        schema.addProperty("disk_gb", number("The disk of one slot.", 0, maxSize));
        schema.addProperty("amount", number("How many slots.", 1, InstancePlanning.MAX_SLOTS));
        schema.addProperty("affinity", affinity());
        schema.addProperty("resource_properties", filter());
        return schema;
    }

    private static Schema<?> flavor() {
        Schema<?> schema = flavorChanges();
        schema.setDescription(
                "Of the kind flavor:instance. The cloud adds a field flavor, which nobody else can"
                        + " say: what the flavor was like when it was asked for.");
        schema.addProperty("affinity", noneOrNull());
        schema.setRequired(List.of("amount", "flavor_id"));
        return schema;
    }

    private static Schema<?> flavorChanges() {
        Schema<?> id = ofType("string");
        id.setDescription("The id of a flavor that the project may use.");
        id.setMaxLength(255);
        id.setPattern("^[A-Za-z0-9._ -]+$");
        Schema<?> schema = ofType("object");
        schema.setDescription("Of the kind flavor:instance; what is left out stays.");
        schema.addProperty("flavor_id", id);
        schema.addProperty("amount", number("How many slots.", 1, InstancePlanning.MAX_SLOTS));
        return schema;
    }

    private static Schema<?> network() {
        Schema<?> schema = networkChanges();
        schema.setDescription("Of the kind virtual:network.");
        schema.setRequired(List.of("network_name"));
        return schema;
    }

    private static Schema<?> networkChanges() {
        Schema<?> schema = ofType("object");
        schema.setDescription("Of the kind virtual:network; what is left out stays.");
        schema.addProperty("network_name", text("What the network is called.", 1));
        schema.addProperty("network_description", text("What it is described as.", 0));
        schema.addProperty("network_properties", filter());
        schema.addProperty("resource_properties", filter());
        return schema;
    }

    private static Schema<?> volume() {
        Schema<?> id = ofType("string");
        id.setDescription("A volume that the project has already; then nothing but on_end.");
        id.setFormat("uuid");
        Schema<?> schema = volumeChanges();
        schema.setDescription(
                "Of the kind virtual:volume: volume_type and size of a new one, or volume_id.");
        schema.addProperty("volume_id", id);
        return schema;
    }

    private static Schema<?> volumeChanges() {
        Schema<?> schema = ofType("object");
        schema.setDescription("Of the kind virtual:volume; what is left out stays.");
        schema.addProperty("volume_type", text("The volume's type.", 1));
        schema.addProperty("size", number("How many GiB it has.", 1, VolumePlanning.MAX_SIZE_GIB));
        schema.addProperty("name", text("What the volume is called.", 0));
        schema.addProperty("description", text("What it is described as.", 0));
        schema.addProperty(
                "on_end",
                enumeration(
                        ParameterKeyword.all(org.leasehold.resource.volume.VolumeEndAction.class)));
        return schema;
    }

    private static Schema<?> server() {
        Schema<?> id = ofType("string");
        id.setDescription("Which of the project's servers it is.");
        id.setFormat("uuid");
        Schema<?> schema = serverChanges();
        schema.setDescription("Of the kind virtual:server: a server that the project has already.");
        schema.addProperty("server_id", id);
        schema.setRequired(List.of("server_id"));
        return schema;
    }

    private static Schema<?> serverChanges() {
        Schema<?> schema = ofType("object");
        schema.setDescription("Of the kind virtual:server; what is left out stays.");
        schema.addProperty("on_start", enumeration(ParameterKeyword.all(ServerStartAction.class)));
        schema.addProperty("on_end", enumeration(ParameterKeyword.all(ServerEndAction.class)));
        return schema;
    }

    private static Schema<?> stack() {
        Schema<?> id = ofType("string");
        id.setDescription("A stack that the project has already; then nothing but on_end.");
        id.setFormat("uuid");
        Schema<?> schema = stackChanges();
        schema.setDescription(
                "Of the kind virtual:stack: template of a new one, or stack_id. The cloud adds a"
                        + " field stack, which nobody else can say: what it is made of.");
        schema.addProperty("stack_id", id);
        return schema;
    }

    private static Schema<?> stackChanges() {
        Schema<?> schema = ofType("object");
        schema.setDescription("Of the kind virtual:stack; what is left out stays.");
        schema.addProperty("template", heatObjectOrText("Heat's template."));
        schema.addProperty("parameters", reference(HEAT_OBJECT));
        schema.addProperty("environment", heatObjectOrText("Heat's environment."));
        schema.addProperty("files", reference(HEAT_OBJECT));
        schema.addProperty("on_end", enumeration("delete", "suspend", "keep"));
        return schema;
    }

    /** Returns the schema of names and values that only Heat interprets. */
    private static Schema<?> heatObject() {
        Schema<?> schema = ofType("object");
        schema.setAdditionalProperties(true);
        schema.setDescription("As Heat understands it.");
        return schema;
    }

    private static Schema<?> heatObjectOrText(String description) {
        Schema<?> schema = new Schema<>();
        schema.addAnyOfItem(reference(HEAT_OBJECT));
        schema.addAnyOfItem(ofType("string"));
        schema.setDescription(description);
        return schema;
    }

    private static Schema<?> text(String description, int shortest) {
        Schema<?> schema = ofType("string");
        schema.setDescription(description);
        schema.setMinLength(shortest);
        schema.setMaxLength(NetworkPlanning.MAX_TEXT_LENGTH);
        return schema;
    }

    private static Schema<?> affinity() {
        Schema<?> schema = ofType("boolean");
        schema.addType("null");
        schema.setDescription(
                "Whether all slots are to be on one host, or each on another one; null for"
                        + " anywhere.");
        return schema;
    }

    /** Returns the schema of a word or null. An enumeration accepts null only if it lists it. */
    private static Schema<?> noneOrNull() {
        Schema<String> schema = new Schema<>();
        schema.addType("string");
        schema.addType("null");
        schema.addEnumItemObject("none");
        schema.addEnumItemObject(null);
        return schema;
    }

    private static Schema<?> number(String description, int least, int max) {
        Schema<?> schema = ofType("integer");
        schema.setDescription(description);
        schema.setMinimum(BigDecimal.valueOf(least));
        schema.setMaximum(BigDecimal.valueOf(max));
        return schema;
    }

    private static Schema<?> filter() {
        Schema<?> schema = new Schema<>();
        schema.addAnyOfItem(ofType("string"));
        schema.addAnyOfItem(reference(FILTER));
        schema.setDescription("A filter as a list, or a text that holds one; empty for any.");
        return schema;
    }

    private static Schema<?> filterList() {
        Schema<?> item = new Schema<>();
        item.addAnyOfItem(ofType("string"));
        item.addAnyOfItem(reference(FILTER));
        Schema<?> schema = ofType("array");
        schema.setItems(item);
        schema.setDescription(
                "What each resource must be, as Blazar has it: [\"==\", \"$gpu\", \"V100\"], with"
                        + " and, or, not and in.");
        return schema;
    }

    private static Schema<?> reference(String schema) {
        return new Schema<>().$ref("#/components/schemas/" + schema);
    }

    private static Schema<?> enumeration(String... words) {
        return enumeration(List.of(words));
    }

    private static Schema<?> enumeration(List<String> words) {
        Schema<String> schema = new Schema<>();
        schema.addType("string");
        schema.setEnum(words);
        return schema;
    }

    private static Schema<?> ofType(String type) {
        Schema<?> schema = new Schema<>();
        schema.addType(type);
        return schema;
    }
}
