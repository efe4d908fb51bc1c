package org.leasehold.gateway.v1.description;

import static io.swagger.v3.oas.models.PathItem.HttpMethod.GET;

import static org.leasehold.gateway.v1.description.FieldSchemas.text;

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

import java.math.BigDecimal;

/** A builder of the description of an endpoint. */
final class EndpointDescription {

    private static final String JSON = "application/json";
    private static final int MAX_PAGE_SIZE = 1000;

    private final PathItem.HttpMethod method;
    private final String path;
    private final Operation operation = new Operation();
    private final ApiResponses responses = new ApiResponses();

    EndpointDescription(String id, PathItem.HttpMethod method, String path, String summary) {
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
                    "Names the request: sent again within a day, it gets its first answer again,"
                            + " errors included, and is not done again.");
            parameter("header", "Leasehold-Reason", "Why, in your own words; kept in the history.");
        }
    }

    EndpointDescription pathParameter(String name, String description) {
        return parameter("path", name, description);
    }

    /** Adds an entity tag to its responses. */
    EndpointDescription withEntityTag() {
        responses.values().forEach(answer -> header(answer, "ETag", "The version of the lease."));
        return this;
    }

    /** Adds {@code If-Match}: it runs only if the client's entity tag is still the lease's. */
    EndpointDescription withIfMatch() {
        parameter("header", "If-Match", "Entity tags. Without it, every version will do.");
        return withErrorResponse(412, "The lease has changed");
    }

    EndpointDescription queryParameter(String name, String description) {
        return parameter("query", name, description);
    }

    EndpointDescription queryParameter(String name, Schema<?> schema) {
        return parameter("query", name, schema);
    }

    /** Adds paging: without parameters the response has the whole list, as in Blazar. */
    EndpointDescription withPaging(String key, Schema<?> marker) {
        Schema<?> limit = FieldSchemas.number("How many at most; all, if it is left out.", 100);
        limit.setMinimum(BigDecimal.ONE);
        limit.setMaximum(BigDecimal.valueOf(MAX_PAGE_SIZE));
        queryParameter("limit", limit);
        queryParameter("marker", marker);
        queryParameter("sort_key", FieldSchemas.oneOf("What the list is in the order of.", key));
        queryParameter("sort_dir", FieldSchemas.oneOf("Which end comes first.", "asc", "desc"));
        operation.setDescription(
                "The Link header with rel=next leads to the following page, if there is one.");
        return withErrorResponse(400, "A parameter is malformed");
    }

    private EndpointDescription parameter(String in, String name, String description) {
        return parameter(in, name, text(description));
    }

    private EndpointDescription parameter(String in, String name, Schema<?> schema) {
        operation.addParametersItem(
                new Parameter()
                        .in(in)
                        .name(name)
                        .description(schema.getDescription())
                        .required(in.equals("path"))
                        .schema(schema.description(null)));
        return this;
    }

    EndpointDescription withRequestBody(String schema) {
        operation.setRequestBody(new RequestBody().required(true).content(json(schema)));
        return this;
    }

    EndpointDescription withResponse(int status, String schema) {
        return withResponse(status, new ApiResponse().description("Done").content(json(schema)));
    }

    EndpointDescription withEmptyResponse() {
        return withResponse(204, new ApiResponse().description("Done"));
    }

    private EndpointDescription withResponse(int status, ApiResponse response) {
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

    EndpointDescription withErrorResponse(int status, String why) {
        responses.addApiResponse(
                Integer.toString(status),
                new ApiResponse().description(why).content(json("BlazarError")));
        return this;
    }

    private static Content json(String schema) {
        return new Content()
                .addMediaType(JSON, new MediaType().schema(FieldSchemas.reference(schema)));
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
