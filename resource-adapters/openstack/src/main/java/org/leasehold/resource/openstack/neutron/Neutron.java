package org.leasehold.resource.openstack.neutron;

import org.leasehold.resource.Acting.Fence;
import org.leasehold.resource.floatingip.FloatingIp;
import org.leasehold.resource.floatingip.Subnet;
import org.leasehold.resource.network.Segment;
import org.leasehold.resource.openstack.Cloud;
import org.leasehold.resource.openstack.CloudRequest;
import org.leasehold.resource.openstack.CloudResponse;
import org.leasehold.resource.openstack.FencedCloud;
import org.leasehold.resource.openstack.neutron.ExistingRouter.Route;
import org.leasehold.vocabulary.ReservationId;

import tools.jackson.databind.JsonNode;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Queries to Neutron about floating IPs, networks, and their attachments. They do not use
 * openstack4j, which supports neither tags nor descriptions of them.
 */
public final class Neutron {

    static final String NETWORK = "network";
    static final String FLOATING_IPS = "/v2.0/floatingips";
    static final String NETWORKS = "/v2.0/networks";
    static final String PORTS = "/v2.0/ports";
    static final String ROUTERS = "/v2.0/routers";

    static final String NETWORK_TYPE = "provider:network_type";
    static final String PHYSICAL_NETWORK = "provider:physical_network";
    static final String SEGMENTATION_ID = "provider:segmentation_id";

    private static final int NOT_FOUND = 404;
    private static final String FLOATING_IP_OWNER = "network:floatingip";

    private final Cloud cloud;

    public Neutron(Cloud cloud) {
        this.cloud = cloud;
    }

    /** Returns the changes of the same Neutron, while the fence holds. */
    public NeutronChanges fencedBy(Fence fence) {
        return new NeutronChanges(new FencedCloud(cloud, fence));
    }

    /** Returns the subnets of an external network; empty if there is no such network. */
    public Optional<List<Subnet>> externalSubnets(String network) {
        CloudResponse answer =
                cloud.rest()
                        .send(
                                CloudRequest.get(NETWORK, NETWORKS + "/" + encoded(network))
                                        .expecting(NOT_FOUND));
        return answer.body().path("network").path("router:external").asBoolean(false)
                ? Optional.of(subnets(network))
                : Optional.empty();
    }

    /** Returns the id of an external network, by its id or its name. */
    public Optional<String> externalNetwork(String idOrName) {
        return Stream.of("id", "name")
                .flatMap(
                        by ->
                                fetchList(
                                        "%s?router:external=True&%s=%s"
                                                .formatted(NETWORKS, by, encoded(idOrName)),
                                        "networks"))
                .map(found -> text(found, "id"))
                .findFirst();
    }

    /** Returns the number of free addresses in a network's pools; empty if it is unknown. */
    public OptionalLong freeAddresses(String network) {
        CloudResponse answer =
                cloud.rest()
                        .send(
                                CloudRequest.get(
                                                NETWORK,
                                                "/v2.0/network-ip-availabilities/"
                                                        + encoded(network))
                                        .expecting(NOT_FOUND));
        JsonNode found = answer.body().path("network_ip_availability");
        long left = found.path("total_ips").asLong(0) - found.path("used_ips").asLong(0);
        return answer.status() == NOT_FOUND
                ? OptionalLong.empty()
                : OptionalLong.of(Math.max(0, left));
    }

    /** Returns the network of a floating IP; empty if there is no such floating IP. */
    public Optional<String> networkOfFloatingIp(String id) {
        CloudResponse answer =
                cloud.rest()
                        .send(
                                CloudRequest.get(NETWORK, FLOATING_IPS + "/" + encoded(id))
                                        .expecting(NOT_FOUND));
        return Optional.of(text(answer.body().path("floatingip"), FloatingIp.NETWORK))
                .filter(network -> !network.isEmpty());
    }

    public List<Subnet> subnets(String network) {
        return fetchList("/v2.0/subnets?network_id=" + encoded(network), "subnets")
                .map(Neutron::subnet)
                .toList();
    }

    /** Returns the floating IP at an address. */
    public Optional<ExistingFloatingIp> findAt(FloatingIp ip) {
        return floatingIps(
                        "floating_network_id="
                                + encoded(ip.network())
                                + "&floating_ip_address="
                                + encoded(ip.address()))
                .filter(found -> found.ip().equals(ip))
                .findFirst();
    }

    /** Returns the floating IPs with a reservation's mark. */
    public List<ExistingFloatingIp> floatingIpsOf(ReservationId reservation) {
        return fetchMarked(FLOATING_IPS, "floatingips", reservation)
                .map(Neutron::floatingIp)
                .filter(found -> found.origin().isOf(reservation))
                .distinct()
                .toList();
    }

    /** Returns the floating IPs of all projects. */
    public List<ExistingFloatingIp> floatingIps() {
        return floatingIps("").toList();
    }

    /** Returns the ports that have an address without a floating IP. */
    public List<String> portsAt(FloatingIp ip) {
        return fetchList(
                        "/v2.0/ports?network_id="
                                + encoded(ip.network())
                                + "&fixed_ips="
                                + encoded("ip_address=" + ip.address()),
                        "ports")
                .filter(port -> !text(port, "device_owner").equals(FLOATING_IP_OWNER))
                .map(port -> "port " + text(port, "id"))
                .toList();
    }

    /** Returns the network on a segment. */
    public Optional<ExistingNetwork> findAt(Segment segment) {
        String physical = segment.physical();
        return fetchList(
                        "%s?%s=%s&%s=%s%s"
                                .formatted(
                                        NETWORKS,
                                        NETWORK_TYPE,
                                        segment.type().word(),
                                        SEGMENTATION_ID,
                                        segment.id(),
                                        physical == null
                                                ? ""
                                                : "&" + PHYSICAL_NETWORK + "=" + encoded(physical)),
                        "networks")
                .map(Neutron::network)
                .filter(found -> segment.equals(found.segment()))
                .findFirst();
    }

    /** Returns the networks with a reservation's mark. */
    public List<ExistingNetwork> networksOf(ReservationId reservation) {
        return fetchMarked(NETWORKS, "networks", reservation)
                .map(Neutron::network)
                .filter(found -> found.origin().isOf(reservation))
                .distinct()
                .toList();
    }

    /** Returns the networks of all projects. */
    public List<ExistingNetwork> networks() {
        return fetchList(NETWORKS, "networks").map(Neutron::network).toList();
    }

    /** Returns the ports of a network. */
    public List<ExistingPort> portsIn(String network) {
        return ports("network_id=" + encoded(network));
    }

    /** Returns the ports of a router or a server. */
    public List<ExistingPort> portsOf(String device) {
        return ports("device_id=" + encoded(device));
    }

    public Optional<ExistingRouter> router(String id) {
        CloudResponse answer =
                cloud.rest()
                        .send(
                                CloudRequest.get(NETWORK, ROUTERS + "/" + encoded(id))
                                        .expecting(NOT_FOUND));
        return answer.status() == NOT_FOUND
                ? Optional.empty()
                : Optional.of(router(answer.body().path("router")));
    }

    /** Returns the routers of all projects. */
    public List<ExistingRouter> routers() {
        return fetchList(ROUTERS, "routers").map(Neutron::router).toList();
    }

    /** Returns the routers with a reservation's tag. */
    public List<ExistingRouter> routersOf(ReservationId reservation) {
        return fetchList(
                        ROUTERS + "?tags=" + encoded(NeutronOwnership.mark(reservation)), "routers")
                .map(Neutron::router)
                .toList();
    }

    private List<ExistingPort> ports(String query) {
        return fetchList(PORTS + "?" + query, "ports").map(Neutron::port).toList();
    }

    private Stream<JsonNode> fetchMarked(String path, String list, ReservationId reservation) {
        String mark = encoded(NeutronOwnership.mark(reservation));
        return Stream.concat(
                fetchList(path + "?tags=" + mark, list),
                fetchList(path + "?description=" + mark, list));
    }

    private Stream<ExistingFloatingIp> floatingIps(String query) {
        return fetchList(FLOATING_IPS + "?" + query, "floatingips").map(Neutron::floatingIp);
    }

    private Stream<JsonNode> fetchList(String path, String list) {
        return cloud.rest().send(CloudRequest.get(NETWORK, path)).body().path(list).valueStream();
    }

    static ExistingFloatingIp floatingIp(JsonNode found) {
        return new ExistingFloatingIp(
                text(found, "id"),
                new FloatingIp(text(found, FloatingIp.NETWORK), text(found, FloatingIp.ADDRESS)),
                origin(found));
    }

    static ExistingNetwork network(JsonNode found) {
        return new ExistingNetwork(
                text(found, "id"),
                text(found, "name"),
                Segment.of(
                                text(found, NETWORK_TYPE),
                                text(found, PHYSICAL_NETWORK),
                                text(found, SEGMENTATION_ID))
                        .orElse(null),
                origin(found),
                found.path("admin_state_up").asBoolean(true));
    }

    private static ExistingPort port(JsonNode found) {
        return new ExistingPort(
                text(found, "id"),
                text(found, "network_id"),
                text(found, "device_owner"),
                text(found, "device_id"));
    }

    private static ExistingRouter router(JsonNode found) {
        return new ExistingRouter(
                text(found, "id"),
                origin(found),
                found.path("routes")
                        .valueStream()
                        .map(route -> new Route(text(route, "destination"), text(route, "nexthop")))
                        .toList());
    }

    private static NeutronOwnership origin(JsonNode found) {
        return new NeutronOwnership(
                text(found, "project_id"),
                text(found, "description"),
                new TreeSet<>(
                        found.path("tags").valueStream().map(tag -> tag.asString("")).toList()),
                createdAt(found.path("created_at")));
    }

    /** Returns the time of creation; without one, a thing is older than any lease. */
    private static Instant createdAt(JsonNode found) {
        return found.asString("").isEmpty() ? Instant.EPOCH : CloudResponse.instant(found);
    }

    private static Subnet subnet(JsonNode found) {
        return new Subnet(
                text(found, "id"),
                text(found, "cidr"),
                found.path("gateway_ip").stringValue(null),
                found.path("allocation_pools")
                        .valueStream()
                        .map(pool -> new Subnet.Pool(text(pool, "start"), text(pool, "end")))
                        .toList());
    }

    private static String text(JsonNode node, String field) {
        return node.path(field).asString("");
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
