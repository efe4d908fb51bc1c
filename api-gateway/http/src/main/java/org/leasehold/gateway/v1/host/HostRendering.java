package org.leasehold.gateway.v1.host;

import org.jspecify.annotations.Nullable;
import org.leasehold.readmodel.resource.ResourceView;
import org.leasehold.readmodel.resource.Resources.Holding;
import org.leasehold.readmodel.resource.Resources.ResourceCalendar;
import org.leasehold.readmodel.resource.Resources.ResourceProperty;
import org.leasehold.wire.blazar.BlazarTimes;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Hosts, their calendars and their properties in Blazar's form. */
final class HostRendering {

    /** The fields of a host that an operator cannot set. */
    static final Set<String> READ_ONLY_FIELDS =
            Set.of(
                    "id",
                    "name",
                    "hypervisor_hostname",
                    "service_name",
                    "hypervisor_type",
                    "hypervisor_version",
                    "vcpus",
                    "memory_mb",
                    "local_gb",
                    "cpu_info",
                    "availability_zone",
                    "status",
                    "reservable",
                    "trust_id",
                    "created_at",
                    "updated_at");

    private HostRendering() {}

    static Map<String, @Nullable Object> host(ResourceView host) {
        Map<String, @Nullable Object> attributes = host.attributes();
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("id", host.id().toString());
        fields.put(
                "hypervisor_hostname",
                attributeOrDefault(attributes, "hypervisor_hostname", host.name()));
        fields.put("service_name", attributeOrDefault(attributes, "service_name", host.name()));
        fields.put("hypervisor_type", attributeOrDefault(attributes, "hypervisor_type", ""));
        fields.put("hypervisor_version", attributeOrDefault(attributes, "hypervisor_version", 0));
        fields.put("vcpus", attributeOrDefault(attributes, "vcpus", 0));
        fields.put("memory_mb", attributeOrDefault(attributes, "memory_mb", 0));
        fields.put("local_gb", attributeOrDefault(attributes, "local_gb", 0));
        fields.put("cpu_info", attributeOrDefault(attributes, "cpu_info", ""));
        String zone = host.zone();
        fields.put("availability_zone", zone == null ? "" : zone);
        fields.put("status", null);
        fields.put("reservable", host.reservable());
        fields.put("trust_id", null);
        fields.put("created_at", BlazarTimes.formatSeconds(host.createdAt()));
        fields.put("updated_at", BlazarTimes.formatSeconds(host.updatedAt()));
        host.capabilities().forEach(fields::putIfAbsent);
        return fields;
    }

    private static Object attributeOrDefault(
            Map<String, @Nullable Object> attributes, String name, Object otherwise) {
        Object value = attributes.get(name);
        return value == null ? otherwise : value;
    }

    static Map<String, @Nullable Object> allocation(ResourceCalendar calendar) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("resource_id", calendar.resource().toString());
        fields.put(
                "reservations", calendar.holdings().stream().map(HostRendering::holding).toList());
        return fields;
    }

    private static Map<String, @Nullable Object> holding(Holding holding) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("id", holding.reservation().toString());
        fields.put("lease_id", holding.lease().toString());
        fields.put("start_date", BlazarTimes.formatMicroseconds(holding.period().start()));
        fields.put("end_date", BlazarTimes.formatMicroseconds(holding.period().end()));
        return fields;
    }

    static Map<String, @Nullable Object> property(ResourceProperty property, boolean detailed) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("property", property.name());
        if (detailed) {
            fields.put("private", property.hidden());
            fields.put("values", property.values());
        }
        return fields;
    }

    /** Returns the response to a property's change; its dates are precise for no known reason. */
    static Map<String, @Nullable Object> changedProperty(ResourceProperty property) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("id", property.id().toString());
        fields.put("resource_type", property.kind().value());
        fields.put("property_name", property.name());
        fields.put("private", property.hidden());
        fields.put("created_at", BlazarTimes.formatMicroseconds(property.createdAt()));
        var updatedAt = property.updatedAt();
        fields.put(
                "updated_at", updatedAt == null ? null : BlazarTimes.formatMicroseconds(updatedAt));
        return fields;
    }
}
