package org.leasehold.gateway.v1;

import static io.swagger.v3.oas.models.PathItem.HttpMethod.DELETE;
import static io.swagger.v3.oas.models.PathItem.HttpMethod.GET;
import static io.swagger.v3.oas.models.PathItem.HttpMethod.PATCH;
import static io.swagger.v3.oas.models.PathItem.HttpMethod.POST;
import static io.swagger.v3.oas.models.PathItem.HttpMethod.PUT;

import static org.leasehold.gateway.v1.V1Fields.text;
import static org.leasehold.gateway.v1.V1Fields.uuid;

import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem;
import io.swagger.v3.oas.models.headers.Header;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.parameters.Parameter;
import io.swagger.v3.oas.models.parameters.RequestBody;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;

import org.springdoc.core.customizers.GlobalOpenApiCustomizer;

import java.math.BigDecimal;
import java.util.List;

/**
 * Adds Blazar's API to the description. Its endpoints read and write JSON by hand, so that nothing
 * about them can be derived; tests ask each of them what is written here.
 */
final class V1Description implements GlobalOpenApiCustomizer {

    private static final String LEASES = "/v1/leases";
    private static final String LEASE = "/v1/leases/{id}";
    private static final String HOSTS = "/v1/os-hosts";
    private static final String HOST = "/v1/os-hosts/{id}";
    private static final String LEASE_ID = "The lease's id.";
    private static final String HOST_ID = "The host's id: digits.";

    @Override
    public void customise(OpenAPI api) {
        V1Schemas.all().forEach(api.getComponents()::addSchemas);
        describeDiscovery(api);
        describeLeases(api);
        describeHosts(api);
        describeCalendar(api);
        describeProperties(api);
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
                .query("status", V1Schemas.status("Only leases with this status."))
                .query("name", text("Only leases with this name.", "nightly-build"))
                .pages("created_at", uuid("The id of the page's last lease.", V1Schemas.LEASE_ID))
                .answers(200, "BlazarLeaseList")
                .addTo(api);
        new Endpoint("blazarCreateLease", POST, LEASES, "Asks for a lease")
                .takes("BlazarNewLease")
                .answers(201, "BlazarLeaseAnswer")
                .refuses(400, "A field is missing, malformed or in the past")
                .refuses(403, "The announcement of the end is outside of the window")
                .refuses(409, "The calendar cannot hold it")
                .addTo(api);
        new Endpoint("blazarShowLease", GET, LEASE, "Shows a lease")
                .in("id", LEASE_ID)
                .answers(200, "BlazarLeaseAnswer")
                .refuses(404, "There is none, or it is another project's")
                .addTo(api);
        new Endpoint("blazarChangeLease", PUT, LEASE, "Changes a lease")
                .in("id", LEASE_ID)
                .takes("BlazarLeaseChange")
                .answers(200, "BlazarLeaseAnswer")
                .refuses(400, "A field is malformed, or cannot have that value any more")
                .refuses(403, "The announcement of the end is outside of the window")
                .refuses(404, "There is none, or it is another project's")
                .refuses(409, "The calendar cannot hold it, or the lease's status forbids it")
                .addTo(api);
        new Endpoint("blazarDeleteLease", DELETE, LEASE, "Ends a lease and forgets it")
                .in("id", LEASE_ID)
                .answersNothing()
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

    /** An endpoint on its way into the description. */
    private static final class Endpoint {

        private static final String JSON = "application/json";

        private final PathItem.HttpMethod method;
        private final String path;
        private final Operation operation = new Operation();
        private final ApiResponses responses = new ApiResponses();

        Endpoint(String id, PathItem.HttpMethod method, String path, String summary) {
            this.method = method;
            this.path = path;
            operation.addTagsItem("blazar");
            operation.setSummary(summary);
            operation.setOperationId(id);
            operation.setResponses(responses);
            parameter(
                    "header",
                    "OpenStack-API-Version",
                    "Which microversion is wanted: reservation 1.0 or reservation latest.");
            if (method != GET) {
                parameter(
                        "header",
                        "Idempotency-Key",
                        "Names the request: sent again within a day, it is answered without being"
                                + " done again.");
                parameter(
                        "header",
                        "Leasehold-Reason",
                        "Why, in your own words; kept in the history.");
            }
        }

        Endpoint in(String name, String description) {
            return parameter("path", name, description);
        }

        Endpoint query(String name, String description) {
            return parameter("query", name, description);
        }

        Endpoint query(String name, Schema<?> schema) {
            return parameter("query", name, schema);
        }

        /** All of it at once if the client says nothing, as in Blazar; page by page if it does. */
        Endpoint pages(String key, Schema<?> marker) {
            Schema<?> limit = V1Fields.number("How many at most; all, if it is left out.", 100);
            limit.setMinimum(BigDecimal.ONE);
            limit.setMaximum(BigDecimal.valueOf(V1Query.LARGEST_PAGE));
            query("limit", limit);
            query("marker", marker);
            query("sort_key", V1Fields.oneOf("What the list is in the order of.", key));
            query("sort_dir", V1Fields.oneOf("Which end comes first.", "asc", "desc"));
            operation.setDescription(
                    "The Link header with rel=next leads to the following page, if there is one.");
            return refuses(400, "A parameter is malformed");
        }

        private Endpoint parameter(String in, String name, String description) {
            return parameter(in, name, text(description, ""));
        }

        private Endpoint parameter(String in, String name, Schema<?> schema) {
            operation.addParametersItem(
                    new Parameter()
                            .in(in)
                            .name(name)
                            .description(schema.getDescription())
                            .required(in.equals("path"))
                            .schema(schema.description(null).example(null)));
            return this;
        }

        Endpoint takes(String schema) {
            operation.setRequestBody(new RequestBody().required(true).content(json(schema)));
            return this;
        }

        Endpoint answers(int status, String schema) {
            return answers(status, new ApiResponse().description("Done").content(json(schema)));
        }

        Endpoint answersNothing() {
            return answers(204, new ApiResponse().description("Done"));
        }

        private Endpoint answers(int status, ApiResponse response) {
            header(response, "OpenStack-API-Version", "The microversion that was used.");
            header(response, "x-openstack-request-id", "Our name for the request.");
            responses.addApiResponse(Integer.toString(status), response);
            return this;
        }

        private static void header(ApiResponse response, String name, String description) {
            Schema<?> schema = new Schema<>();
            schema.addType("string");
            response.addHeaderObject(name, new Header().description(description).schema(schema));
        }

        Endpoint refuses(int status, String why) {
            responses.addApiResponse(
                    Integer.toString(status),
                    new ApiResponse().description(why).content(json("BlazarError")));
            return this;
        }

        private static Content json(String schema) {
            return new Content()
                    .addMediaType(JSON, new MediaType().schema(V1Fields.reference(schema)));
        }

        void addTo(OpenAPI api) {
            responses.addApiResponse(
                    "default",
                    new ApiResponse()
                            .description("What is wrong with the request, or went wrong")
                            .content(json("BlazarError")));
            PathItem item = api.getPaths().get(path);
            if (item == null) {
                item = new PathItem();
                api.getPaths().addPathItem(path, item);
            }
            item.operation(method, operation);
        }
    }
}
