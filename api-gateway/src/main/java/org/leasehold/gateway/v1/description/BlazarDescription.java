package org.leasehold.gateway.v1.description;

import static io.swagger.v3.oas.models.PathItem.HttpMethod.DELETE;
import static io.swagger.v3.oas.models.PathItem.HttpMethod.GET;
import static io.swagger.v3.oas.models.PathItem.HttpMethod.PATCH;
import static io.swagger.v3.oas.models.PathItem.HttpMethod.POST;
import static io.swagger.v3.oas.models.PathItem.HttpMethod.PUT;

import static org.leasehold.gateway.v1.description.Fields.text;
import static org.leasehold.gateway.v1.description.Fields.uuid;

import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.media.Schema;

import org.springdoc.core.customizers.GlobalOpenApiCustomizer;

import java.util.List;

/**
 * Adds Blazar's API to the description. Its endpoints read and write JSON by hand, so the
 * description cannot be derived; tests check each of them against the text here.
 */
final class BlazarDescription implements GlobalOpenApiCustomizer {

    private static final String LEASES = "/v1/leases";
    private static final String LEASE = "/v1/leases/{id}";
    private static final String HOSTS = "/v1/os-hosts";
    private static final String HOST = "/v1/os-hosts/{id}";
    private static final String LEASE_ID = "The lease's id.";
    private static final String HOST_ID = "The host's id: digits.";
    private static final String FLOATING_IPS = "/v1/floatingips";
    private static final String FLOATING_IP = "/v1/floatingips/{id}";
    private static final String FLOATING_IP_ID = "The floating IP's id.";

    @Override
    public void customise(OpenAPI api) {
        Schemas.all().forEach(api.getComponents()::addSchemas);
        describeDiscovery(api);
        describeLeases(api);
        describeHosts(api);
        describeCalendar(api);
        describeProperties(api);
        describeFloatingIps(api);
    }

    private static void describeDiscovery(OpenAPI api) {
        for (String path : List.of("/", "/versions")) {
            new Endpoint(
                            path.equals("/") ? "blazarDiscover" : "blazarVersions",
                            GET,
                            path,
                            "Tells which versions there are")
                    .answers(300, "BlazarVersions")
                    .addTo(api);
        }
        new Endpoint("blazarListPlugins", GET, "/v1/plugins", "Lists the kinds of resources")
                .answers(200, "BlazarPlugins")
                .addTo(api);
    }

    private static void describeLeases(OpenAPI api) {
        new Endpoint("blazarListLeases", GET, LEASES, "Lists leases, oldest first")
                .query("status", LeaseSchemas.status("Only leases with this status."))
                .query("name", text("Only leases with this name.", "nightly-build"))
                .pages("created_at", uuid("The id of the page's last lease.", Fields.LEASE_ID))
                .answers(200, "BlazarLeaseList")
                .addTo(api);
        new Endpoint("blazarCreateLease", POST, LEASES, "Asks for a lease")
                .takes("BlazarNewLease")
                .answers(201, "BlazarLeaseAnswer")
                .tags()
                .refuses(400, "A field is missing, malformed or in the past")
                .refuses(403, "The announcement of the end is outside of the window")
                .refuses(404, "The project has no such flavor")
                .refuses(409, "The calendar cannot hold it")
                .addTo(api);
        new Endpoint("blazarShowLease", GET, LEASE, "Shows a lease")
                .in("id", LEASE_ID)
                .answers(200, "BlazarLeaseAnswer")
                .tags()
                .refuses(404, "There is none, or it is another project's")
                .addTo(api);
        new Endpoint("blazarChangeLease", PUT, LEASE, "Changes a lease")
                .in("id", LEASE_ID)
                .takes("BlazarLeaseChange")
                .answers(200, "BlazarLeaseAnswer")
                .tags()
                .ifMatches()
                .refuses(400, "A field is malformed, or cannot have that value any more")
                .refuses(403, "The announcement of the end is outside of the window")
                .refuses(
                        404,
                        "There is none, or it is another project's; or that has no such flavor")
                .refuses(409, "The calendar cannot hold it, or the lease's status forbids it")
                .addTo(api);
        new Endpoint("blazarDeleteLease", DELETE, LEASE, "Ends a lease and forgets it")
                .in("id", LEASE_ID)
                .answersNothing()
                .ifMatches()
                .refuses(404, "There is none, or it is another project's")
                .addTo(api);
    }

    private static void describeHosts(OpenAPI api) {
        new Endpoint("blazarListHosts", GET, HOSTS, "Lists hosts, by id")
                .query("hypervisor_hostname", text("Only the host of this name.", "compute-1"))
                .pages("id", digits("The id of the page's last host."))
                .answers(200, "BlazarHostList")
                .addTo(api);
        new Endpoint("blazarEnrolHost", POST, HOSTS, "Makes a host of the cloud leasable")
                .takes("BlazarNewHost")
                .answers(201, "BlazarHostAnswer")
                .refuses(400, "A capability is malformed")
                .refuses(403, "The host is not named")
                .refuses(404, "The cloud has no such host")
                .refuses(409, "It is enrolled already, or servers run on it")
                .addTo(api);
        new Endpoint("blazarShowHost", GET, HOST, "Shows a host")
                .in("id", HOST_ID)
                .answers(200, "BlazarHostAnswer")
                .refuses(404, "There is none")
                .addTo(api);
        new Endpoint("blazarChangeHost", PUT, HOST, "Adds and overwrites capabilities of a host")
                .in("id", HOST_ID)
                .takes("BlazarHostChange")
                .answers(200, "BlazarHostAnswer")
                .refuses(400, "There is nothing to change, or a capability is malformed")
                .refuses(404, "There is none")
                .refuses(409, "Reservations chose the host by a capability that would change")
                .addTo(api);
        new Endpoint("blazarRetireHost", DELETE, HOST, "Takes a host out of the inventory")
                .in("id", HOST_ID)
                .answersNothing()
                .refuses(404, "There is none")
                .refuses(409, "The host is reserved")
                .addTo(api);
    }

    private static void describeCalendar(OpenAPI api) {
        String lease = "Only holds of this lease, over ones included.";
        String reservation = "Only holds of this reservation, over ones included.";
        new Endpoint(
                        "blazarListAllocations",
                        GET,
                        HOSTS + "/allocations",
                        "Tells who holds which hosts")
                .query("lease_id", lease)
                .query("reservation_id", reservation)
                .pages("resource_id", digits("The id of the page's last host."))
                .answers(200, "BlazarAllocationList")
                .addTo(api);
        new Endpoint("blazarShowAllocation", GET, HOST + "/allocation", "Tells who holds a host")
                .in("id", HOST_ID)
                .query("lease_id", lease)
                .query("reservation_id", reservation)
                .answers(200, "BlazarAllocationAnswer")
                .refuses(404, "There is no such host")
                .addTo(api);
    }

    private static Schema<?> digits(String description) {
        Schema<?> schema = text(description, "1");
        schema.setPattern("^0*[1-9][0-9]{0,17}$");
        return schema;
    }

    private static void describeProperties(OpenAPI api) {
        new Endpoint(
                        "blazarListProperties",
                        GET,
                        HOSTS + "/properties",
                        "Lists capabilities of hosts")
                .query("detail", "Anything: with their values, too.")
                .query("all", "Anything: hidden ones, too, for administrators.")
                .answers(200, "BlazarPropertyList")
                .addTo(api);
        new Endpoint(
                        "blazarChangeProperty",
                        PATCH,
                        HOSTS + "/properties/{name}",
                        "Hides or shows a capability")
                .in("name", "The capability's name.")
                .takes("BlazarPropertyChange")
                .answers(200, "BlazarChangedPropertyAnswer")
                .refuses(400, "A field is missing or malformed")
                .refuses(404, "No host has ever had it")
                .addTo(api);
    }

    private static void describeFloatingIps(OpenAPI api) {
        new Endpoint("blazarListFloatingIps", GET, FLOATING_IPS, "Lists floating IPs, by id")
                .pages("id", uuid("The id of the page's last one.", FloatingIpSchemas.ID))
                .answers(200, "BlazarFloatingIpList")
                .addTo(api);
        new Endpoint("blazarEnrolFloatingIp", POST, FLOATING_IPS, "Makes an address leasable")
                .takes("BlazarNewFloatingIp")
                .answers(201, "BlazarEnrolledFloatingIpAnswer")
                .refuses(
                        400,
                        "A field is missing or malformed, there is no such network, or users are"
                                + " given the address otherwise")
                .refuses(404, "The address is in no subnet of the network")
                .refuses(409, "It is enrolled already, or somebody uses it")
                .addTo(api);
        new Endpoint("blazarShowFloatingIp", GET, FLOATING_IP, "Shows a floating IP")
                .in("id", FLOATING_IP_ID)
                .answers(200, "BlazarFloatingIpAnswer")
                .refuses(404, "There is none")
                .addTo(api);
        new Endpoint(
                        "blazarRetireFloatingIp",
                        DELETE,
                        FLOATING_IP,
                        "Takes a floating IP out of the inventory")
                .in("id", FLOATING_IP_ID)
                .answersNothing()
                .refuses(404, "There is none")
                .refuses(409, "The floating IP is reserved")
                .addTo(api);
    }
}
