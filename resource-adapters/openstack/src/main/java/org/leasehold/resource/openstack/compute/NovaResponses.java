package org.leasehold.resource.openstack.compute;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.LeaseTaggedObject;
import org.leasehold.resource.server.ComputeCapacity;
import org.leasehold.resource.server.ServerPlanning;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The hosts, servers and aggregates in Nova's responses, read from their JSON. */
final class NovaResponses {

    private static final int MB_PER_GB = 1_024;

    private NovaResponses() {}

    static NovaAggregate aggregate(JsonNode found) {
        return new NovaAggregate(
                text(found, "id"),
                text(found, "name"),
                found.path("availability_zone").stringValue(null),
                toStringMap(found.path("metadata")),
                new TreeSet<>(
                        found.path("hosts").valueStream().map(host -> host.asString("")).toList()));
    }

    /** Returns the hosts of an availability zone that have a compute service. */
    static Set<String> computeHosts(JsonNode zone) {
        return zone.path("hosts")
                .propertyStream()
                .filter(host -> host.getValue().has("nova-compute"))
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    static Hypervisor hypervisor(JsonNode found) {
        String host = text(found.path("service"), "host");
        return new Hypervisor(
                text(found, "id"),
                text(found, "hypervisor_hostname"),
                host,
                text(found, "state").equals("up"),
                text(found, "status").equals("enabled"),
                attributes(found, host),
                found.path("servers").valueStream().map(server -> text(server, "uuid")).toList());
    }

    private static Map<String, @Nullable Object> attributes(JsonNode found, String host) {
        Map<String, @Nullable Object> attributes = new LinkedHashMap<>();
        attributes.put("hypervisor_hostname", text(found, "hypervisor_hostname"));
        attributes.put("service_name", host);
        attributes.put("hypervisor_type", found.path("hypervisor_type").stringValue(null));
        for (String number : List.of("hypervisor_version", "vcpus", "memory_mb", "local_gb")) {
            JsonNode value = found.path(number);
            attributes.put(number, value.isIntegralNumber() ? value.longValue() : null);
        }
        attributes.put("cpu_info", cpuInfo(found.path("cpu_info")));
        return attributes;
    }

    /**
     * Returns the CPU's description as a text, as in Nova's first versions, because clients expect
     * it. Sorts its features: each start of a compute service changes their order.
     */
    private static String cpuInfo(JsonNode found) {
        if (found.isEmpty()) {
            return "";
        }
        JsonNode cpu = found.deepCopy();
        if (cpu instanceof ObjectNode fields && cpu.path("features") instanceof ArrayNode set) {
            List<JsonNode> features =
                    set.valueStream().sorted(Comparator.comparing(JsonNode::toString)).toList();
            fields.set("features", set.removeAll().addAll(features));
        }
        return cpu.toString();
    }

    static NovaServer server(JsonNode found) {
        return new NovaServer(
                text(found, "id"),
                text(found, "name"),
                text(found, "tenant_id"),
                text(found, "status"));
    }

    static ExistingServer existingServer(JsonNode found) {
        return new ExistingServer(
                text(found, "id"),
                text(found, "name"),
                text(found, "status"),
                isBusy(found),
                found.path("locked").asBoolean(false),
                text(found, "tenant_id"),
                capacity(found),
                text(found.path("metadata"), Nova.RESERVATION_KEY));
    }

    private static boolean isBusy(JsonNode server) {
        return server.path("OS-EXT-STS:task_state").isString();
    }

    private static ComputeCapacity capacity(JsonNode found) {
        JsonNode flavor = found.path("flavor");
        // A server that started from a volume has an empty text for an image, and no disk.
        long disk = found.path("image").isObject() ? flavor.path("disk").asLong(0) : 0;
        return new ComputeCapacity(
                text(found, "OS-EXT-AZ:availability_zone"),
                flavor.path("vcpus").asLong(0),
                flavor.path("ram").asLong(0),
                disk
                        + flavor.path("ephemeral").asLong(0)
                        + Math.ceilDiv(flavor.path("swap").asLong(0), MB_PER_GB));
    }

    static LeaseTaggedObject taggedServer(JsonNode found) {
        String id = text(found, "id");
        return new LeaseTaggedObject(
                id,
                new ProjectId(text(found, "tenant_id")),
                new UserId(text(found, "user_id")),
                text(found, "name"),
                Map.of(ServerPlanning.SERVER_ID, id),
                toStringMap(found.path("metadata")));
    }

    static Guest guest(JsonNode found) {
        return new Guest(
                server(found),
                toStringMap(found.path("flavor").path("extra_specs")),
                isBusy(found));
    }

    static Map<String, String> toStringMap(JsonNode object) {
        Map<String, String> texts = new TreeMap<>();
        object.propertyStream()
                .forEach(each -> texts.put(each.getKey(), each.getValue().asString("")));
        return texts;
    }

    static AttachedVolume attachedVolume(JsonNode server, JsonNode attachment) {
        String device = text(attachment, "device");
        return new AttachedVolume(
                text(server, "id"),
                text(attachment, "volumeId"),
                text(server, "tenant_id"),
                text(server, "status"),
                !device.isEmpty()
                        && device.equals(text(server, "OS-EXT-SRV-ATTR:root_device_name")),
                attachment.path("delete_on_termination").asBoolean(false));
    }

    static String text(JsonNode node, String field) {
        return node.path(field).asString("");
    }
}
