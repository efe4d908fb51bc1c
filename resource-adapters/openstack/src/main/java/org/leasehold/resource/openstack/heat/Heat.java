package org.leasehold.resource.openstack.heat;

import org.leasehold.lease.ProjectId;
import org.leasehold.lease.TrustId;
import org.leasehold.resource.Acting.Fence;
import org.leasehold.resource.openstack.Answer;
import org.leasehold.resource.openstack.Cloud;
import org.leasehold.resource.openstack.Fenced;
import org.leasehold.resource.openstack.Request;

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
 * What Heat says of stacks. As the engine it tells of those of all projects only where its policy
 * {@code stacks:global_index} lets the engine's user list them.
 */
public final class Heat {

    static final String ORCHESTRATION = "orchestration";
    static final String STACKS = "/stacks";
    static final int NOT_FOUND = 404;
    static final int CONFLICT = 409;

    static final String ALL_PROJECTS = "global_tenant=True";
    private static final int BAD_REQUEST = 400;
    private static final int FORBIDDEN = 403;
    private static final int DEEPEST = 10;

    /** Of a stack that Heat has yet to forget. */
    private static final String GONE = "DELETE_COMPLETE";

    private static final String RESOURCE_NAME = "resource_name";
    private static final String NESTED = "nested";

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final JavaType OBJECT =
            JSON.getTypeFactory().constructMapType(LinkedHashMap.class, String.class, Object.class);

    private final Cloud cloud;

    public Heat(Cloud cloud) {
        this.cloud = cloud;
    }

    /** The same Heat, as the user who has given a trust. */
    public Heat as(TrustId trust) {
        return new Heat(cloud.as(trust));
    }

    /** The same Heat, to be changed as long as the fence holds. */
    public HeatChanges fencedBy(Fence fence) {
        return new HeatChanges(new Fenced(cloud, fence));
    }

    /** What came of looking at what a template would make. */
    public sealed interface Preview {

        /** It would make these, lists among them for what is nested. */
        record Made(JsonNode resources) implements Preview {}

        /** It makes no sense, or is not the user's to make. */
        record Refused(String message) implements Preview {}
    }

    /**
     * Looks at what a template would make, as the user who has the token.
     *
     * @param request the template and what belongs to it
     */
    public Preview preview(
            String name, Map<String, Object> request, String token, ProjectId project) {
        Map<String, Object> body = new LinkedHashMap<>(request);
        body.put("stack_name", name);
        Answer answer =
                cloud.rest()
                        .send(
                                Request.post(ORCHESTRATION, STACKS + "/preview", body)
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

    /** A stack of whatever project; empty if there is none any more. */
    public Optional<ExistingStack> stack(String name, String id) {
        Answer answer =
                cloud.rest().send(Request.get(ORCHESTRATION, path(name, id)).expecting(NOT_FOUND));
        return answer.status() == NOT_FOUND
                ? Optional.empty()
                : Optional.of(stack(answer.body().path("stack"))).filter(Heat::isThere);
    }

    /** The stack of this name in the project that this Heat is asked in. */
    public Optional<ExistingStack> named(String name) {
        return list("name=" + encoded(name)).findFirst();
    }

    /** The stack of this name in a project. */
    public Optional<ExistingStack> named(String name, ProjectId project) {
        return list(ALL_PROJECTS + "&name=" + encoded(name))
                .filter(stack -> stack.project().equals(project.value()))
                .findFirst();
    }

    /** A stack that the user has who has the token. */
    public Optional<ExistingStack> withId(String id, String token, ProjectId project) {
        return stacks(
                        cloud.rest()
                                .send(
                                        Request.get(ORCHESTRATION, STACKS + "?id=" + encoded(id)),
                                        token,
                                        project))
                .filter(stack -> stack.id().equals(id))
                .findFirst();
    }

    /** A stack that a project has. */
    public Optional<ExistingStack> withId(String id, ProjectId project) {
        return list(ALL_PROJECTS + "&id=" + encoded(id))
                .filter(stack -> stack.id().equals(id))
                .filter(stack -> stack.project().equals(project.value()))
                .findFirst();
    }

    /** All that there are, of all projects, without those that are nested in others. */
    public List<ExistingStack> stacks() {
        return list(ALL_PROJECTS).toList();
    }

    private Stream<ExistingStack> list(String query) {
        return stacks(cloud.rest().send(Request.get(ORCHESTRATION, STACKS + "?" + query)));
    }

    private static Stream<ExistingStack> stacks(Answer answer) {
        return answer.body().path("stacks").valueStream().map(Heat::stack).filter(Heat::isThere);
    }

    private static boolean isThere(ExistingStack stack) {
        return !stack.status().equals(GONE);
    }

    /** What the environment of a stack has in place of types of resources: a JSON object. */
    public Map<String, Object> registryOf(ExistingStack stack) {
        Answer answer =
                cloud.rest()
                        .send(
                                Request.get(ORCHESTRATION, path(stack) + "/environment")
                                        .expecting(NOT_FOUND));
        JsonNode registry = answer.body().path("resource_registry");
        return registry.isObject() ? JSON.treeToValue(registry, OBJECT) : Map.of();
    }

    /** All resources of a stack, with those that are nested. */
    public List<StackResource> resourcesOf(ExistingStack stack) {
        String path = path(stack) + "/resources?nested_depth=" + DEEPEST;
        List<JsonNode> all =
                cloud.rest()
                        .send(Request.get(ORCHESTRATION, path).expecting(NOT_FOUND))
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
     * @param owners the resources that are nothing but stacks, by the addresses of these
     */
    private static StackResource resource(JsonNode found, Map<String, JsonNode> owners) {
        String around = around(found, owners);
        String name = text(found, RESOURCE_NAME);
        return new StackResource(
                around.isEmpty() ? name : around + "." + name,
                text(found, "resource_type"),
                text(found, "physical_resource_id"));
    }

    /** As a preview calls the stack around a resource: by the names on the way to it. */
    private static String around(JsonNode found, Map<String, JsonNode> owners) {
        JsonNode owner = owners.get(link(found, "stack").orElse(""));
        if (owner == null) {
            return "";
        }
        String outer = around(owner, owners);
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
     * What comes before the name of a resource that is previewed: nothing where it is in the stack
     * itself, else the path of the stack that it is in, which is named after those around it.
     */
    public static String nesting(String stack, String nested) {
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
                        found.path("tags").valueStream().map(tag -> tag.asString("")).toList()));
    }

    private static String text(JsonNode node, String field) {
        return node.path(field).asString("");
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
