package org.leasehold.resource.stack;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.instance.Flavor;
import org.leasehold.resource.parameter.IntegerParameter;
import org.leasehold.resource.server.ComputeCapacity;
import org.leasehold.resource.stack.Stacks.Search;
import org.leasehold.resource.volume.VolumePlanning;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The needs of Heat's resource types from the calendar. If the needs of a type are unknown, the
 * calendar cannot promise the stack.
 */
public final class HeatResourceTypes {

    static final String SERVER = "OS::Nova::Server";

    /** Types that create other resources, by the property that describes one. */
    static final Map<String, String> REPEATED_PROPERTIES =
            Map.of(
                    "OS::Heat::ResourceGroup", "resource_def",
                    "OS::Heat::AutoScalingGroup", "resource");

    private static final String VOLUME = "OS::Cinder::Volume";

    /** Types with an address of an external network, by the property that names the network. */
    private static final Map<String, String> NETWORK_PROPERTIES =
            Map.of(
                    "OS::Neutron::FloatingIP", "floating_network",
                    "OS::Nova::FloatingIP", "pool",
                    "OS::Neutron::Port", "network",
                    "OS::Neutron::Router", "external_gateway_info",
                    "OS::Neutron::RouterGateway", "network");

    private static final Set<String> TYPES_WITHOUT_NEEDS =
            Set.of(
                    "OS::Cinder::VolumeAttachment",
                    "OS::Glance::WebImage",
                    "OS::Heat::CloudConfig",
                    "OS::Heat::Delay",
                    "OS::Heat::MultipartMime",
                    "OS::Heat::None",
                    "OS::Heat::RandomString",
                    "OS::Heat::SoftwareComponent",
                    "OS::Heat::SoftwareConfig",
                    "OS::Heat::SoftwareDeployment",
                    "OS::Heat::SoftwareDeploymentGroup",
                    "OS::Heat::SoftwareDeployments",
                    "OS::Heat::StructuredConfig",
                    "OS::Heat::StructuredDeployment",
                    "OS::Heat::StructuredDeploymentGroup",
                    "OS::Heat::StructuredDeployments",
                    "OS::Heat::SwiftSignal",
                    "OS::Heat::SwiftSignalHandle",
                    "OS::Heat::UpdateWaitConditionHandle",
                    "OS::Heat::Value",
                    "OS::Heat::WaitCondition",
                    "OS::Heat::WaitConditionHandle",
                    "OS::Neutron::AddressScope",
                    "OS::Neutron::ExtraRoute",
                    "OS::Neutron::ExtraRouteSet",
                    "OS::Neutron::FloatingIPAssociation",
                    "OS::Neutron::Net",
                    "OS::Neutron::NetworkGateway",
                    "OS::Neutron::QoSBandwidthLimitRule",
                    "OS::Neutron::QoSDscpMarkingRule",
                    "OS::Neutron::QoSPolicy",
                    "OS::Neutron::RBACPolicy",
                    "OS::Neutron::RouterInterface",
                    "OS::Neutron::SecurityGroup",
                    "OS::Neutron::SecurityGroupRule",
                    "OS::Neutron::Subnet",
                    "OS::Neutron::SubnetPool",
                    "OS::Neutron::Trunk",
                    "OS::Nova::FloatingIPAssociation",
                    "OS::Nova::KeyPair",
                    "OS::Nova::ServerGroup");

    /** The reason why a resource of a type that is {@link Sort#UNKNOWN} cannot be reserved. */
    public static final String UNKNOWN_REASON = "what it takes is not known";

    private static final int MB_PER_GB = 1_024;

    /** The sort of needs of a type. */
    public enum Sort {
        SERVER,
        VOLUME,
        FLOATING_IP,
        /** An address of an external network, if the network is one. */
        ADDRESS,
        NOTHING,
        /** Unknown needs. */
        UNKNOWN
    }

    private static final Map<String, Sort> SORTS =
            Map.of(
                    SERVER,
                    Sort.SERVER,
                    VOLUME,
                    Sort.VOLUME,
                    "OS::Neutron::FloatingIP",
                    Sort.FLOATING_IP,
                    "OS::Nova::FloatingIP",
                    Sort.FLOATING_IP,
                    "OS::Neutron::Port",
                    Sort.ADDRESS,
                    "OS::Neutron::Router",
                    Sort.ADDRESS,
                    "OS::Neutron::RouterGateway",
                    Sort.ADDRESS);

    private final Cloud cloud;
    private final Map<String, Optional<Flavor>> flavors = new HashMap<>();
    private final Map<String, Optional<String>> volumeTypes = new HashMap<>();
    private final Map<String, Optional<String>> networks = new HashMap<>();

    /** Creates a reader for one stack: it queries each flavor, type and network once. */
    public HeatResourceTypes(Cloud cloud) {
        this.cloud = cloud;
    }

    /** The cloud's objects that properties name. Each is searched by its id and by its name. */
    public interface Cloud {

        Optional<Flavor> flavor(String nameOrId);

        /**
         * Returns the name of a volume type.
         *
         * @param nameOrId empty for the type of a volume that names none
         */
        Optional<String> volumeType(String nameOrId);

        /** Returns the id of a network. */
        Optional<String> network(String nameOrId);
    }

    /** Reads all resources of a future stack. */
    public Search readAll(List<PreviewedResource> elements) {
        List<StackComponent> parts = new ArrayList<>();
        Map<String, String> policies = new TreeMap<>();
        for (PreviewedResource element : elements) {
            switch (readNeeds(element)) {
                case Taking.Nothing _ -> {}
                case Taking.Something(StackComponent part) -> parts.add(part);
                case Taking.Unclear(String why) -> {
                    return refused(element.name(), element.type(), why);
                }
            }
            Object policy = element.onEnd();
            if (policy != null) {
                policies.put(element.name(), policy.toString());
            }
        }
        return new Search.Found("", parts, policies);
    }

    /** Returns the sort of needs of a type, such as {@code OS::Nova::Server}. */
    public static Sort sort(String type) {
        return SORTS.getOrDefault(
                type, TYPES_WITHOUT_NEEDS.contains(type) ? Sort.NOTHING : Sort.UNKNOWN);
    }

    /**
     * Returns the result for a stack that cannot be reserved.
     *
     * @param name of the resource at fault
     * @param why a clause for people
     */
    public static Search.Refused refused(String name, String type, String why) {
        return new Search.Refused(
                "The resource %s (%s) cannot be reserved: %s".formatted(name, type, why));
    }

    /** The needs of one resource. */
    private sealed interface Taking {

        record Nothing() implements Taking {}

        record Something(StackComponent part) implements Taking {}

        record Unclear(String why) implements Taking {}
    }

    private Taking readNeeds(PreviewedResource element) {
        return switch (sort(element.type())) {
            case SERVER -> server(element);
            case VOLUME -> volume(element);
            case FLOATING_IP -> floatingIp(element);
            case ADDRESS -> address(element);
            case NOTHING -> new Taking.Nothing();
            case UNKNOWN -> new Taking.Unclear(UNKNOWN_REASON);
        };
    }

    private Taking server(PreviewedResource element) {
        Map<String, @Nullable Object> properties = element.properties();
        if (createsVolumes(properties)) {
            return new Taking.Unclear(
                    "it makes volumes of its own; make them as OS::Cinder::Volume");
        }
        String flavor = text(properties, "flavor");
        // Nova accepts a host after the zone from administrators.
        String zone = text(properties, "availability_zone").replaceFirst(":.*", "");
        boolean hasImage = !text(properties, "image").isEmpty();
        return flavors.computeIfAbsent(flavor, cloud::flavor)
                .<Taking>map(
                        found ->
                                new Taking.Something(
                                        StackComponent.server(
                                                element.name(),
                                                element.type(),
                                                room(zone, found, hasImage))))
                .orElseGet(() -> unknownObject("flavor", flavor));
    }

    /** Returns whether Nova creates a volume for it: from an image, a snapshot, or a size alone. */
    private static boolean createsVolumes(Map<String, @Nullable Object> properties) {
        return devices(properties, "block_device_mapping").stream()
                        .anyMatch(device -> hasField(device, "snapshot_id"))
                || devices(properties, "block_device_mapping_v2").stream()
                        .anyMatch(
                                device ->
                                        !hasField(device, "volume_id")
                                                && (hasField(device, "image")
                                                        || hasField(device, "image_id")
                                                        || hasField(device, "snapshot_id")
                                                        || hasField(device, "volume_size")));
    }

    private static List<?> devices(Map<String, @Nullable Object> properties, String name) {
        return properties.get(name) instanceof List<?> devices ? devices : List.of();
    }

    private static boolean hasField(@Nullable Object device, String name) {
        return device instanceof Map<?, ?> fields && fields.get(name) != null;
    }

    /** Returns the room of a server. One with a boot volume uses no disk of its flavor. */
    private static ComputeCapacity room(String zone, Flavor flavor, boolean hasImage) {
        return new ComputeCapacity(
                zone,
                flavor.vcpus(),
                flavor.memoryMb(),
                (hasImage ? flavor.diskGb() : 0L)
                        + flavor.ephemeralGb()
                        + Math.ceilDiv(flavor.swapMb(), MB_PER_GB));
    }

    private Taking volume(PreviewedResource element) {
        Optional<BigInteger> size =
                IntegerParameter.of(element.properties().get("size"))
                        .filter(gib -> gib.signum() > 0)
                        .filter(
                                gib ->
                                        gib.compareTo(
                                                        BigInteger.valueOf(
                                                                VolumePlanning.MAX_SIZE_GIB))
                                                <= 0);
        if (size.isEmpty()) {
            return new Taking.Unclear("it says no size");
        }
        String type = text(element.properties(), "volume_type");
        return volumeTypes
                .computeIfAbsent(type, cloud::volumeType)
                .<Taking>map(
                        found ->
                                new Taking.Something(
                                        StackComponent.volume(
                                                element.name(),
                                                element.type(),
                                                found,
                                                size.get().longValueExact())))
                .orElseGet(() -> unknownObject("volume type", type));
    }

    private Taking floatingIp(PreviewedResource element) {
        String network = network(element);
        return externalAddress(element, network).orElseGet(() -> unknownObject("network", network));
    }

    /** Returns the address, or nothing: most are of networks that have no pool. */
    private Taking address(PreviewedResource element) {
        return externalAddress(element, network(element)).orElseGet(Taking.Nothing::new);
    }

    private Optional<Taking> externalAddress(PreviewedResource element, String network) {
        return networks.computeIfAbsent(network, cloud::network)
                .<Taking>map(
                        id ->
                                new Taking.Something(
                                        StackComponent.floatingIp(
                                                element.name(), element.type(), id)));
    }

    private static String network(PreviewedResource element) {
        String property = NETWORK_PROPERTIES.getOrDefault(element.type(), "");
        return element.properties().get(property) instanceof Map<?, ?> gateway
                ? Objects.toString(gateway.get("network"), "")
                : text(element.properties(), property);
    }

    private static Taking unknownObject(String what, String name) {
        return new Taking.Unclear(
                name.isEmpty()
                        ? "its %s is not known before it is made".formatted(what)
                        : "there is no %s %s".formatted(what, name));
    }

    private static String text(Map<String, @Nullable Object> properties, String name) {
        Object value = properties.get(name);
        return value instanceof String || value instanceof Number ? value.toString() : "";
    }
}
