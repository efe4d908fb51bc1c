package org.leasehold.resource.openstack.neutron;

import org.leasehold.lease.ReservationId;
import org.leasehold.resource.Acting.Fence;
import org.leasehold.resource.floatingip.FloatingIp;
import org.leasehold.resource.floatingip.Subnet;
import org.leasehold.resource.openstack.Answer;
import org.leasehold.resource.openstack.Cloud;
import org.leasehold.resource.openstack.Fenced;
import org.leasehold.resource.openstack.Request;

import tools.jackson.databind.JsonNode;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What Neutron says of networks outside and of floating IPs. Not by openstack4j, whose floating IPs
 * have neither tags nor a description.
 */
public final class Neutron {

    static final String NETWORK = "network";
    static final String FLOATING_IPS = "/v2.0/floatingips";

    private static final int NOT_FOUND = 404;
    private static final String OF_FLOATING_IP = "network:floatingip";

    private final Cloud cloud;

    public Neutron(Cloud cloud) {
        this.cloud = cloud;
    }

    /** The same Neutron, to be changed as long as the fence holds. */
    public NeutronChanges fencedBy(Fence fence) {
        return new NeutronChanges(new Fenced(cloud, fence));
    }

    /** The subnets of a network outside; empty if there is no such network. */
    public Optional<List<Subnet>> subnets(String network) {
        Answer answer =
                cloud.rest()
                        .send(
                                Request.get(NETWORK, "/v2.0/networks/" + encoded(network))
                                        .expecting(NOT_FOUND));
        return answer.body().path("network").path("router:external").asBoolean(false)
                ? Optional.of(
                        ask("/v2.0/subnets?network_id=" + encoded(network), "subnets")
                                .map(Neutron::subnet)
                                .toList())
                : Optional.empty();
    }

    /** Whose an address is. */
    public Optional<ExistingIp> at(FloatingIp ip) {
        return floatingIps(
                        "floating_network_id="
                                + encoded(ip.network())
                                + "&floating_ip_address="
                                + encoded(ip.address()))
                .filter(found -> found.ip().equals(ip))
                .findFirst();
    }

    /** Those that bear a reservation's name. */
    public List<ExistingIp> of(ReservationId reservation) {
        String mark = encoded(Origin.mark(reservation));
        return Stream.concat(floatingIps("tags=" + mark), floatingIps("description=" + mark))
                .filter(found -> found.origin().isOf(reservation))
                .distinct()
                .toList();
    }

    /** All that there are, of all projects. */
    public List<ExistingIp> floatingIps() {
        return floatingIps("").toList();
    }

    /** Which ports have an address that is none of a floating IP. */
    public List<String> portsAt(FloatingIp ip) {
        return ask(
                        "/v2.0/ports?network_id="
                                + encoded(ip.network())
                                + "&fixed_ips="
                                + encoded("ip_address=" + ip.address()),
                        "ports")
                .filter(port -> !text(port, "device_owner").equals(OF_FLOATING_IP))
                .map(port -> "port " + text(port, "id"))
                .toList();
    }

    private Stream<ExistingIp> floatingIps(String query) {
        return ask(FLOATING_IPS + "?" + query, "floatingips").map(Neutron::floatingIp);
    }

    private Stream<JsonNode> ask(String path, String list) {
        return cloud.rest().send(Request.get(NETWORK, path)).body().path(list).valueStream();
    }

    static ExistingIp floatingIp(JsonNode found) {
        return new ExistingIp(
                text(found, "id"),
                new FloatingIp(text(found, FloatingIp.NETWORK), text(found, FloatingIp.ADDRESS)),
                origin(found));
    }

    private static Origin origin(JsonNode found) {
        return new Origin(
                text(found, "project_id"),
                text(found, "description"),
                new TreeSet<>(
                        found.path("tags").valueStream().map(tag -> tag.asString("")).toList()),
                Answer.instant(found.path("created_at")));
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
