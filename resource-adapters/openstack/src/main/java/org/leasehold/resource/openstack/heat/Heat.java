package org.leasehold.resource.openstack.heat;

import org.leasehold.resource.Acting.Fence;
import org.leasehold.resource.openstack.Cloud;
import org.leasehold.resource.openstack.CloudRequest;
import org.leasehold.resource.openstack.CloudResponse;
import org.leasehold.resource.openstack.FencedCloud;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.TrustId;

import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Queries to Heat about stacks. As the engine it shows those of all projects only if its policy
 * {@code stacks:global_index} permits the engine's user to list them.
 */
public final class Heat {

    static final String ORCHESTRATION = "orchestration";
    static final String STACKS = "/stacks";
    static final int NOT_FOUND = 404;
    static final int CONFLICT = 409;

    static final String ALL_PROJECTS = "global_tenant=True";
    private static final int BAD_REQUEST = 400;
    private static final int FORBIDDEN = 403;
    private static final int MAX_NESTING_DEPTH = 10;

    /** The status of a stack that is deleted but still listed. */
    private static final String DELETED_STATUS = "DELETE_COMPLETE";

    private static final String RESOURCE_NAME = "resource_name";
    private static final String NESTED = "nested";

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final JavaType OBJECT =
            JSON.getTypeFactory().constructMapType(LinkedHashMap.class, String.class, Object.class);

    private final Cloud cloud;

    public Heat(Cloud cloud) {
        this.cloud = cloud;
    }

    /** Returns the same Heat as the user of a trust. */
    public Heat withTrust(TrustId trust) {
        return new Heat(cloud.as(trust));
    }

    /** Returns the changes of the same Heat, while the fence holds. */
    public HeatChanges fencedBy(Fence fence) {
        return new HeatChanges(new FencedCloud(cloud, fence));
    }

    /** The result of a preview of a template. */
    public sealed interface Preview {

        /** The resources that it would create; lists among them hold nested ones. */
        record Made(JsonNode resources) implements Preview {}

        /** A template that is invalid, or that the user may not create. */
        record Refused(String message) implements Preview {}
    }

    /**
     * Previews what a template would create, as the user of the token.
     *
     * @param request the template and what belongs to it
     */
    public Preview preview(
            String name, Map<String, Object> request, String token, ProjectId project) {
        Map<String, Object> body = new LinkedHashMap<>(request);
        body.put("stack_name", name);
        CloudResponse answer =
                cloud.rest()
                        .send(
                                CloudRequest.post(ORCHESTRATION, STACKS + "/preview", body)
                                        .expecting(BAD_REQUEST, FORBIDDEN, NOT_FOUND, CONFLICT),
                                token,
                                project);
        return answer.status() < BAD_REQUEST
                ? new Preview.Made(answer.body().path("stack").path("resources"))
                : new Preview.Refused(
                        answer.body()
                                .path("error")
                                .path("message")
                                .asString("Heat answers " + answer.status()));
    }

    /** Returns a stack of any project; empty if it does not exist any more. */
    public Optional<ExistingStack> stack(String name, String id) {
        CloudResponse answer =
                cloud.rest()
                        .send(CloudRequest.get(ORCHESTRATION, path(name, id)).expecting(NOT_FOUND));
        return answer.status() == NOT_FOUND
                ? Optional.empty()
                : Optional.of(stack(answer.body().path("stack"))).filter(Heat::isNotDeleted);
    }

    /** Returns the stack of this name in the project of this Heat's login. */
    public Optional<ExistingStack> findByName(String name) {
        return list("name=" + encoded(name)).findFirst();
    }

    /** Returns the stack of this name in a project. */
    public Optional<ExistingStack> findByName(String name, ProjectId project) {
        return list(ALL_PROJECTS + "&name=" + encoded(name))
                .filter(stack -> stack.project().equals(project.value()))
                .findFirst();
    }

    /** Returns a stack that the user of the token has. */
    public Optional<ExistingStack> findById(String id, String token, ProjectId project) {
        return stacks(
                        cloud.rest()
                                .send(
                                        CloudRequest.get(
                                                ORCHESTRATION, STACKS + "?id=" + encoded(id)),
                                        token,
                                        project))
                .filter(stack -> stack.id().equals(id))
                .findFirst();
    }

    /** Returns a stack that a project has. */
    public Optional<ExistingStack> findById(String id, ProjectId project) {
        return list(ALL_PROJECTS + "&id=" + encoded(id))
                .filter(stack -> stack.id().equals(id))
                .filter(stack -> stack.project().equals(project.value()))
                .findFirst();
    }

    /** Returns the stacks of all projects, without nested ones. */
    public List<ExistingStack> stacks() {
        return list(ALL_PROJECTS).toList();
    }

    private Stream<ExistingStack> list(String query) {
        return stacks(cloud.rest().send(CloudRequest.get(ORCHESTRATION, STACKS + "?" + query)));
    }

    private static Stream<ExistingStack> stacks(CloudResponse answer) {
        return answer.body()
                .path("stacks")
                .valueStream()
                .map(Heat::stack)
                .filter(Heat::isNotDeleted);
    }

    private static boolean isNotDeleted(ExistingStack stack) {
        return !stack.status().equals(DELETED_STATUS);
    }

    /** Returns the resource registry in a stack's environment: a JSON object. */
    public Map<String, Object> registryOf(ExistingStack stack) {
        CloudResponse answer =
                cloud.rest()
                        .send(
                                CloudRequest.get(ORCHESTRATION, path(stack) + "/environment")
                                        .expecting(NOT_FOUND));
        JsonNode registry = answer.body().path("resource_registry");
        return registry.isObject() ? JSON.treeToValue(registry, OBJECT) : Map.of();
    }

    /** Returns the content that Heat has for a stack. */
    public StackContent contentOf(ExistingStack stack) {
        return new StackContent(
                content(stack, "template"), content(stack, "environment"), content(stack, "files"));
    }

    private JsonNode content(ExistingStack stack, String what) {
        return cloud.rest().send(CloudRequest.get(ORCHESTRATION, path(stack) + "/" + what)).body();
    }

    /** Returns all resources of a stack, nested ones included. */
    public List<StackResource> resourcesOf(ExistingStack stack) {
        String path = path(stack) + "/resources?nested_depth=" + MAX_NESTING_DEPTH;
        List<JsonNode> all =
                cloud.rest()
                        .send(CloudRequest.get(ORCHESTRATION, path).expecting(NOT_FOUND))
                        .body()
                        .path("resources")
                        .valueStream()
                        .toList();
        Map<String, JsonNode> owners = new HashMap<>();
        all.forEach(each -> link(each, NESTED).ifPresent(nested -> owners.put(nested, each)));
        return all.stream()
                .filter(found -> link(found, NESTED).isEmpty())
                .map(found -> resource(found, owners))
                .toList();
    }

    /**
     * @param owners the resources that are only stacks, by the addresses of these
     */
    private static StackResource resource(JsonNode found, Map<String, JsonNode> owners) {
        String around = enclosingPath(found, owners);
        String name = text(found, RESOURCE_NAME);
        return new StackResource(
                around.isEmpty() ? name : around + "." + name,
                text(found, "resource_type"),
                text(found, "physical_resource_id"));
    }

    /** Returns the path of a resource's stack, as in a preview: the names on the way to it. */
    private static String enclosingPath(JsonNode found, Map<String, JsonNode> owners) {
        JsonNode owner = owners.get(link(found, "stack").orElse(""));
        if (owner == null) {
            return "";
        }
        String outer = enclosingPath(owner, owners);
        String name = text(owner, RESOURCE_NAME);
        return outer.isEmpty() ? name : outer + "-" + name;
    }

    private static Optional<String> link(JsonNode found, String relation) {
        return found.path("links")
                .valueStream()
                .filter(link -> text(link, "rel").equals(relation))
                .map(link -> text(link, "href"))
                .findFirst();
    }

    /**
     * Returns the prefix of the name of a previewed resource. It is empty in the stack itself. In a
     * nested stack it is the path of that stack, whose name contains those around it.
     */
    public static String nestedPrefix(String stack, String nested) {
        return nested.startsWith(stack + "-") ? nested.substring(stack.length() + 1) + "." : "";
    }

    private static String path(String name, String id) {
        return STACKS + "/" + encoded(name) + "/" + encoded(id);
    }

    static String path(ExistingStack stack) {
        return path(stack.name(), stack.id());
    }

    private static ExistingStack stack(JsonNode found) {
        return new ExistingStack(
                text(found, "id"),
                text(found, "stack_name"),
                text(found, "stack_status"),
                text(found, "stack_status_reason"),
                text(found, "project"),
                new TreeSet<>(
                        found.path("tags").valueStream().map(tag -> tag.asString("")).toList()),
                text(found, "updated_time"));
    }

    private static String text(JsonNode node, String field) {
        return node.path(field).asString("");
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
