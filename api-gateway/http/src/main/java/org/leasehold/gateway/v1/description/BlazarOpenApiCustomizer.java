package org.leasehold.gateway.v1.description;

import static io.swagger.v3.oas.models.PathItem.HttpMethod.DELETE;
import static io.swagger.v3.oas.models.PathItem.HttpMethod.GET;
import static io.swagger.v3.oas.models.PathItem.HttpMethod.PATCH;
import static io.swagger.v3.oas.models.PathItem.HttpMethod.POST;
import static io.swagger.v3.oas.models.PathItem.HttpMethod.PUT;

import static org.leasehold.gateway.v1.description.FieldSchemas.text;
import static org.leasehold.gateway.v1.description.FieldSchemas.uuid;

import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.media.Schema;

import org.springdoc.core.customizers.GlobalOpenApiCustomizer;

import java.util.List;

/**
 * Adds Blazar's API to the description. Its endpoints read and write JSON by hand, so the
 * description cannot be derived; tests check each of them against the text here.
 */
final class BlazarOpenApiCustomizer implements GlobalOpenApiCustomizer {

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
        BlazarSchemas.all().forEach(api.getComponents()::addSchemas);
        describeDiscovery(api);
        describeLeases(api);
        describeHosts(api);
        describeCalendar(api);
        describeProperties(api);
        describeFloatingIps(api);
    }

    private static void describeDiscovery(OpenAPI api) {
        for (String path : List.of("/", "/versions")) {
            new EndpointDescription(
                            path.equals("/") ? "blazarDiscover" : "blazarVersions",
                            GET,
                            path,
                            "Tells which versions there are")
                    .withResponse(300, "BlazarVersions")
                    .addTo(api);
        }
        new EndpointDescription(
                        "blazarListPlugins", GET, "/v1/plugins", "Lists the kinds of resources")
                .withResponse(200, "BlazarPlugins")
                .addTo(api);
    }

    private static void describeLeases(OpenAPI api) {
        new EndpointDescription("blazarListLeases", GET, LEASES, "Lists leases, oldest first")
                .queryParameter("status", LeaseSchemas.status("Only leases with this status."))
                .queryParameter("name", text("Only leases with this name.", "nightly-build"))
                .withPaging(
                        "created_at",
                        uuid("The id of the page's last lease.", FieldSchemas.LEASE_ID))
                .withResponse(200, "BlazarLeaseList")
                .addTo(api);
        new EndpointDescription("blazarCreateLease", POST, LEASES, "Asks for a lease")
                .withRequestBody("BlazarNewLease")
                .withResponse(201, "BlazarLeaseAnswer")
                .withEntityTag()
                .withErrorResponse(400, "A field is missing, malformed or in the past")
                .withErrorResponse(403, "The announcement of the end is outside of the window")
                .withErrorResponse(404, "The project has no such flavor")
                .withErrorResponse(409, "The calendar cannot hold it")
                .addTo(api);
        new EndpointDescription("blazarShowLease", GET, LEASE, "Shows a lease")
                .pathParameter("id", LEASE_ID)
                .withResponse(200, "BlazarLeaseAnswer")
                .withEntityTag()
                .withErrorResponse(404, "There is none, or it is another project's")
                .addTo(api);
        new EndpointDescription("blazarChangeLease", PUT, LEASE, "Changes a lease")
                .pathParameter("id", LEASE_ID)
                .withRequestBody("BlazarLeaseChange")
                .withResponse(200, "BlazarLeaseAnswer")
                .withEntityTag()
                .withIfMatch()
                .withErrorResponse(400, "A field is malformed, or cannot have that value any more")
                .withErrorResponse(403, "The announcement of the end is outside of the window")
                .withErrorResponse(
                        404,
                        "There is none, or it is another project's; or that has no such flavor")
                .withErrorResponse(
                        409, "The calendar cannot hold it, or the lease's status forbids it")
                .addTo(api);
        new EndpointDescription("blazarDeleteLease", DELETE, LEASE, "Ends a lease and forgets it")
                .pathParameter("id", LEASE_ID)
                .withEmptyResponse()
                .withIfMatch()
                .withErrorResponse(404, "There is none, or it is another project's")
                .addTo(api);
    }

    private static void describeHosts(OpenAPI api) {
        new EndpointDescription("blazarListHosts", GET, HOSTS, "Lists hosts, by id")
                .queryParameter(
                        "hypervisor_hostname", text("Only the host of this name.", "compute-1"))
                .withPaging("id", digits("The id of the page's last host."))
                .withResponse(200, "BlazarHostList")
                .addTo(api);
        new EndpointDescription(
                        "blazarEnrolHost", POST, HOSTS, "Makes a host of the cloud leasable")
                .withRequestBody("BlazarNewHost")
                .withResponse(201, "BlazarHostAnswer")
                .withErrorResponse(400, "A capability is malformed")
                .withErrorResponse(403, "The host is not named")
                .withErrorResponse(404, "The cloud has no such host")
                .withErrorResponse(409, "It is enrolled already, or servers run on it")
                .addTo(api);
        new EndpointDescription("blazarShowHost", GET, HOST, "Shows a host")
                .pathParameter("id", HOST_ID)
                .withResponse(200, "BlazarHostAnswer")
                .withErrorResponse(404, "There is none")
                .addTo(api);
        new EndpointDescription(
                        "blazarChangeHost", PUT, HOST, "Adds and overwrites capabilities of a host")
                .pathParameter("id", HOST_ID)
                .withRequestBody("BlazarHostChange")
                .withResponse(200, "BlazarHostAnswer")
                .withErrorResponse(400, "There is nothing to change, or a capability is malformed")
                .withErrorResponse(404, "There is none")
                .withErrorResponse(
                        409, "Reservations chose the host by a capability that would change")
                .addTo(api);
        new EndpointDescription(
                        "blazarRetireHost", DELETE, HOST, "Takes a host out of the inventory")
                .pathParameter("id", HOST_ID)
                .withEmptyResponse()
                .withErrorResponse(404, "There is none")
                .withErrorResponse(409, "The host is reserved")
                .addTo(api);
    }

    private static void describeCalendar(OpenAPI api) {
        String lease = "Only holds of this lease, over ones included.";
        String reservation = "Only holds of this reservation, over ones included.";
        new EndpointDescription(
                        "blazarListAllocations",
                        GET,
                        HOSTS + "/allocations",
                        "Tells who holds which hosts")
                .queryParameter("lease_id", lease)
                .queryParameter("reservation_id", reservation)
                .withPaging("resource_id", digits("The id of the page's last host."))
                .withResponse(200, "BlazarAllocationList")
                .addTo(api);
        new EndpointDescription(
                        "blazarShowAllocation", GET, HOST + "/allocation", "Tells who holds a host")
                .pathParameter("id", HOST_ID)
                .queryParameter("lease_id", lease)
                .queryParameter("reservation_id", reservation)
                .withResponse(200, "BlazarAllocationAnswer")
                .withErrorResponse(404, "There is no such host")
                .addTo(api);
    }

    private static Schema<?> digits(String description) {
        Schema<?> schema = text(description, "1");
        schema.setPattern("^0*[1-9][0-9]{0,17}$");
        return schema;
    }

    private static void describeProperties(OpenAPI api) {
        new EndpointDescription(
                        "blazarListProperties",
                        GET,
                        HOSTS + "/properties",
                        "Lists capabilities of hosts")
                .queryParameter("detail", "Anything: with their values, too.")
                .queryParameter("all", "Anything: hidden ones, too, for administrators.")
                .withResponse(200, "BlazarPropertyList")
                .addTo(api);
        new EndpointDescription(
                        "blazarChangeProperty",
                        PATCH,
                        HOSTS + "/properties/{name}",
                        "Hides or shows a capability")
                .pathParameter("name", "The capability's name.")
                .withRequestBody("BlazarPropertyChange")
                .withResponse(200, "BlazarChangedPropertyAnswer")
                .withErrorResponse(400, "A field is missing or malformed")
                .withErrorResponse(404, "No host has ever had it")
                .addTo(api);
    }

    private static void describeFloatingIps(OpenAPI api) {
        new EndpointDescription(
                        "blazarListFloatingIps", GET, FLOATING_IPS, "Lists floating IPs, by id")
                .withPaging("id", uuid("The id of the page's last one.", FloatingIpSchemas.ID))
                .withResponse(200, "BlazarFloatingIpList")
                .addTo(api);
        new EndpointDescription(
                        "blazarEnrolFloatingIp", POST, FLOATING_IPS, "Makes an address leasable")
                .withRequestBody("BlazarNewFloatingIp")
                .withResponse(201, "BlazarEnrolledFloatingIpAnswer")
                .withErrorResponse(
                        400,
                        "A field is missing or malformed, there is no such network, or users are"
                                + " given the address otherwise")
                .withErrorResponse(404, "The address is in no subnet of the network")
                .withErrorResponse(409, "It is enrolled already, or somebody uses it")
                .addTo(api);
        new EndpointDescription("blazarShowFloatingIp", GET, FLOATING_IP, "Shows a floating IP")
                .pathParameter("id", FLOATING_IP_ID)
                .withResponse(200, "BlazarFloatingIpAnswer")
                .withErrorResponse(404, "There is none")
                .addTo(api);
        new EndpointDescription(
                        "blazarRetireFloatingIp",
                        DELETE,
                        FLOATING_IP,
                        "Takes a floating IP out of the inventory")
                .pathParameter("id", FLOATING_IP_ID)
                .withEmptyResponse()
                .withErrorResponse(404, "There is none")
                .withErrorResponse(409, "The floating IP is reserved")
                .addTo(api);
    }
}
