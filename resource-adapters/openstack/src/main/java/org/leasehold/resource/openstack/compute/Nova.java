package org.leasehold.resource.openstack.compute;

import org.leasehold.resource.Acting.Fence;
import org.leasehold.resource.LeaseTaggedObject;
import org.leasehold.resource.LoadResult.Load;
import org.leasehold.resource.openstack.Cloud;
import org.leasehold.resource.openstack.CloudRequest;
import org.leasehold.resource.openstack.CloudResponse;
import org.leasehold.resource.openstack.FencedCloud;
import org.leasehold.resource.openstack.PagedQuery;
import org.leasehold.vocabulary.TrustId;

import tools.jackson.databind.JsonNode;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Queries to Nova about hosts and servers. They do not use openstack4j, which has no microversions.
 * Its lists are empty after a 404, and an end would assume that nothing is left.
 */
public final class Nova {

    static final String COMPUTE = "compute";

    static final String IMAGE = "image";

    /** The first microversion that finds hypervisors with servers; 2.88 removes their size. */
    public static final String HYPERVISORS_MICROVERSION = "2.53";

    static final String ALL_SERVERS = "/servers/detail?all_tenants=1";

    /** A query for servers of all projects, soft-deleted ones included. */
    private static final String SERVERS_QUERY = "/servers/detail?all_tenants=1&soft_deleted=1&";

    /** The first microversion with a server's flavor in full, also after the flavor's deletion. */
    private static final String FLAVORS_MICROVERSION = "2.47";

    /** The first microversion that shows administrators a server's root disk. */
    private static final String ROOT_DEVICES_MICROVERSION = "2.3";

    /** The first microversion that shows whether a volume is deleted with its server. */
    public static final String ATTACHMENTS_MICROVERSION = "2.79";

    /** The metadata key of the reservation that a server belongs to. */
    static final String RESERVATION_KEY = "leasehold:reservation";

    /** The field with a server's hypervisor; empty before and after it is on one. */
    private static final String HYPERVISOR_FIELD = "OS-EXT-SRV-ATTR:hypervisor_hostname";

    static final String ZONES = "/os-availability-zone/detail";

    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;

    private final Cloud cloud;

    /** The lock for announcements of aggregates: the last one must have the latest data. */
    private final Lock announcementLock = new ReentrantLock();

    public Nova(Cloud cloud) {
        this.cloud = cloud;
    }

    /** Returns the same Nova as the user of a trust. */
    public Nova withTrust(TrustId trust) {
        return new Nova(cloud.as(trust));
    }

    /** Returns the changes of the same Nova, while the fence holds. */
    public NovaChanges fencedBy(Fence fence) {
        return new NovaChanges(this, new FencedCloud(cloud, fence), announcementLock);
    }

    public NovaAggregate.Listing aggregates() {
        return new NovaAggregate.Listing(
                get("/os-aggregates")
                        .path("aggregates")
                        .valueStream()
                        .map(NovaResponses::aggregate)
                        .toList());
    }

    /** Returns the hypervisor of exactly this name. */
    public Optional<Hypervisor> hypervisor(String name) {
        return hypervisorsLike(name).filter(found -> found.name().equals(name)).findFirst();
    }

    /** Returns the hypervisor of a compute service. */
    public Optional<Hypervisor> hypervisorOf(String host) {
        // Most have its name, or one that begins with it.
        return hypervisorsLike(host)
                .filter(found -> found.host().equals(host))
                .findFirst()
                .or(() -> findByHost(host));
    }

    /**
     * Returns the hypervisor of this name, else of the compute service of this name, else the only
     * one whose name contains the text. It has its servers.
     */
    public Optional<Hypervisor> searchHypervisor(String text) {
        List<Hypervisor> similar = hypervisorsLike(text).toList();
        return similar.stream()
                .filter(found -> found.name().equals(text))
                .findFirst()
                .or(() -> findByHost(text).flatMap(found -> hypervisor(found.name())))
                .or(() -> similar.size() == 1 ? Optional.of(similar.getFirst()) : Optional.empty());
    }

    /** Returns hypervisors by a part of their name. Nova responds with 404 if there is none. */
    private Stream<Hypervisor> hypervisorsLike(String name) {
        return hypervisors("with_servers=true&hypervisor_hostname_pattern=" + encoded(name));
    }

    /** Returns the hypervisor of a compute service, without its servers. */
    private Optional<Hypervisor> findByHost(String host) {
        return hypervisors().stream().filter(each -> each.host().equals(host)).findFirst();
    }

    /** Returns all hypervisors, which Nova returns in pages. */
    public List<Hypervisor> hypervisors() {
        List<Hypervisor> all = new ArrayList<>();
        String next = "";
        while (true) {
            List<Hypervisor> page = hypervisors(next).toList();
            if (page.isEmpty()) {
                return all;
            }
            all.addAll(page);
            next = "marker=" + page.getLast().id();
        }
    }

    private Stream<Hypervisor> hypervisors(String query) {
        CloudResponse answer =
                cloud.rest()
                        .send(
                                CloudRequest.get(COMPUTE, "/os-hypervisors/detail?" + query)
                                        .microversion(HYPERVISORS_MICROVERSION)
                                        .expecting(NOT_FOUND));
        return answer.body().path("hypervisors").valueStream().map(NovaResponses::hypervisor);
    }

    /** Returns the servers on a compute service's host. */
    public List<NovaServer> serversOn(String host) {
        return servers("host=" + encoded(host));
    }

    /** Returns the same servers as {@link #serversOn}, with their flavors. */
    public List<Guest> guestsOn(String host) {
        return fetchServers(SERVERS_QUERY + "host=" + encoded(host))
                .map(NovaResponses::guest)
                .toList();
    }

    /** Returns the servers of a flavor on any host. */
    public List<NovaServer> serversOfFlavor(String flavor) {
        return servers("flavor=" + encoded(flavor));
    }

    /** Returns the servers of a flavor on a compute service's host. */
    public List<NovaServer> serversOfFlavor(String flavor, String host) {
        return servers("flavor=" + encoded(flavor) + "&host=" + encoded(host));
    }

    private List<NovaServer> servers(String query) {
        return get(SERVERS_QUERY + query)
                .path("servers")
                .valueStream()
                .map(NovaResponses::server)
                .toList();
    }

    /** Returns a server of any project; empty if it does not exist any more. */
    public Optional<ExistingServer> server(String id) {
        return find("/servers/" + encoded(id), FLAVORS_MICROVERSION)
                .map(found -> NovaResponses.existingServer(found.path("server")))
                .filter(found -> !found.status().contains("DELETED"));
    }

    /** Returns the servers of all projects, without soft-deleted ones. */
    public List<ExistingServer> servers() {
        return fetchServers(ALL_SERVERS).map(NovaResponses::existingServer).toList();
    }

    /** Returns the load of hypervisors, by their names; those without servers are absent. */
    public Map<String, Load> loads() {
        return fetchServers(ALL_SERVERS)
                .filter(found -> !NovaResponses.text(found, HYPERVISOR_FIELD).isEmpty())
                .collect(
                        Collectors.toMap(
                                found -> NovaResponses.text(found, HYPERVISOR_FIELD),
                                found -> new Load(1, found.path("flavor").path("vcpus").asInt(0)),
                                Load::plus));
    }

    /**
     * Returns the servers of all projects with a lease tag. Leaves out those that are not on a host
     * yet, or that are in a state without actions.
     */
    public List<LeaseTaggedObject> taggedServers() {
        return fetchServers(ALL_SERVERS)
                .filter(
                        found ->
                                LeaseTaggedObject.hasLeaseTag(
                                        NovaResponses.toStringMap(found.path("metadata"))))
                .filter(found -> isReadyForActions(NovaResponses.existingServer(found)))
                .map(NovaResponses::taggedServer)
                .toList();
    }

    static boolean isReadyForActions(ExistingServer server) {
        return !server.isBusy() && (server.isSettled() || server.isShelved());
    }

    Stream<JsonNode> fetchServers(String path) {
        CloudRequest first = CloudRequest.get(COMPUTE, path).microversion(FLAVORS_MICROVERSION);
        return new PagedQuery(cloud, first, "servers", BAD_REQUEST).readAll().stream();
    }

    /** Returns the hosts of compute services in an availability zone; empty if it is unknown. */
    public Optional<Set<String>> hostsOf(String zone) {
        return Optional.ofNullable(hostsByZone().get(zone));
    }

    /**
     * Returns the hosts of enabled compute services, by the names of their availability zones. A
     * zone may have none.
     */
    public Map<String, Set<String>> hostsByZone() {
        return get(ZONES)
                .path("availabilityZoneInfo")
                .valueStream()
                .collect(
                        Collectors.toMap(
                                found -> NovaResponses.text(found, "zoneName"),
                                NovaResponses::computeHosts,
                                (first, _) -> first,
                                TreeMap::new));
    }

    /** Returns a server's attachment of a volume; empty without one, or without the server. */
    public Optional<AttachedVolume> attachedVolume(String server, String volume) {
        String path = "/servers/" + encoded(server);
        return find(path + "/os-volume_attachments/" + encoded(volume), ATTACHMENTS_MICROVERSION)
                .flatMap(
                        attachment ->
                                find(path, ROOT_DEVICES_MICROVERSION)
                                        .map(
                                                found ->
                                                        NovaResponses.attachedVolume(
                                                                found.path("server"),
                                                                attachment.path(
                                                                        "volumeAttachment"))));
    }

    private Optional<JsonNode> find(String path, String version) {
        CloudRequest request =
                CloudRequest.get(COMPUTE, path).microversion(version).expecting(NOT_FOUND);
        return Optional.of(cloud.rest().send(request))
                .filter(answer -> answer.status() != NOT_FOUND)
                .map(CloudResponse::body);
    }

    /** Returns whether Glance has an image with the property, complete or not. */
    public boolean hasImage(String property, String value) {
        return hasImages(encoded(property) + "=" + encoded(value));
    }

    /** Returns whether Glance has a complete image with the property. */
    public boolean hasCompleteImage(String property, String value) {
        return hasImages("status=active&" + encoded(property) + "=" + encoded(value));
    }

    private boolean hasImages(String query) {
        CloudRequest request = CloudRequest.get(IMAGE, "/v2/images?limit=1&" + query);
        return !cloud.rest().send(request).body().path("images").isEmpty();
    }

    private JsonNode get(String path) {
        return cloud.rest().send(CloudRequest.get(COMPUTE, path)).body();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
