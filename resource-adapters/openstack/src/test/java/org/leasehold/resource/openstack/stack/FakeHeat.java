package org.leasehold.resource.openstack.stack;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.openstack.FakeOpenStack;
import org.leasehold.resource.openstack.FakeOpenStack.Asked;
import org.leasehold.resource.openstack.FakeOpenStack.Said;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;

/**
 * A fake of Heat, and of other services for the content of stacks. A slow action completes after a
 * query. Callers see their own project only; the engine, as an administrator, sees any.
 */
final class FakeHeat implements AutoCloseable {

    static final String TRUST = "trust-of-p1";
    static final String TOKEN = "token-of-p1";
    static final String NETWORK = "8d8bbbf2-2e0c-4b1c-9f4a-7d2a5f2f2f01";
    static final String GROUP = "OS::Heat::ResourceGroup";

    /** A type that the environments of users map. */
    private static final String SITE = "My::Site";

    private static final String ENGINE = "p-service";

    private final FakeOpenStack cloud = new FakeOpenStack(Clock.systemUTC());
    private final Map<String, Stack> stacks = new LinkedHashMap<>();
    private final List<String> changes = new ArrayList<>();
    private final List<JsonNode> templates = new ArrayList<>();
    private @Nullable String failure;
    private boolean listsAll = true;
    private int slowness;
    private int refusedNames;
    private boolean refusesUpdates;
    private boolean rollsBack;
    private int lateLooks;
    private int contentRefusal;

    FakeHeat() {
        cloud.trust(TRUST, "p1");
        cloud.token(TOKEN, Map.of("id", "u-of-p1", "project", "p1"));
        cloud.answer("orchestration", this::heat);
        cloud.answer("compute", FakeStackServices::nova);
        cloud.answer("volumev3", FakeStackServices::cinder);
        cloud.answer("network", FakeStackServices::neutron);
    }

    Map<String, String> settings() {
        return cloud.settings();
    }

    FakeOpenStack keystone() {
        return cloud;
    }

    /** Returns the requests that change something, each with its caller. */
    synchronized List<String> changes() {
        return List.copyOf(changes);
    }

    synchronized List<Stack> stacks() {
        return List.copyOf(stacks.values());
    }

    /** Sets whether Heat's policy lets the engine list the stacks of all projects. */
    synchronized void listsAll(boolean itDoes) {
        listsAll = itDoes;
    }

    /** Delays actions from now on by a number of queries. */
    synchronized void takeLonger(int looks) {
        slowness = looks;
    }

    /** Returns the templates of creations and updates. */
    synchronized List<JsonNode> templates() {
        return List.copyOf(templates);
    }

    /** Rejects all updates from now on. */
    synchronized void refuseUpdates() {
        refusesUpdates = true;
    }

    /** Lets the next update be rolled back. */
    synchronized void rollBackNext() {
        rollsBack = true;
    }

    /** Begins each update only after a number of queries that show the last state. */
    synchronized void beginLate(int looks) {
        lateLooks = looks;
    }

    /** Rejects a number of creations because of the name, which a deleted stack still holds. */
    synchronized void refuseNames(int creates) {
        refusedNames = creates;
    }

    /** Makes the next action fail. */
    synchronized void failNext(String reason) {
        failure = reason;
    }

    /**
     * Answers queries of users for the content of a stack with this status from now on. The engine
     * has no role for such queries then.
     */
    synchronized void refuseContent(int status) {
        contentRefusal = status;
    }

    /** Updates a stack as its user, who leaves its tags as they are. */
    synchronized void updateAsUser(Stack stack, Map<String, ?> content) {
        stack.content = FakeStackContent.json(content);
        stack.updates++;
        stack.status = "UPDATE_COMPLETE";
    }

    /** Adds a stack that a user created. */
    synchronized Stack stack(String name, String project, Map<String, String> resources) {
        Stack stack = new Stack(name, project);
        stack.status = "CREATE_COMPLETE";
        stack.registry.put(SITE, "file:///site.yaml");
        resources.forEach(stack.resources::put);
        stacks.put(stack.id, stack);
        return stack;
    }

    private synchronized Said heat(Asked request) {
        String project = cloud.project(request);
        List<String> parts = request.parts();
        if (!parts.get(2).equals(project)) {
            return refused(403, "You are not authorized to use it");
        }
        if (!request.method().equals("GET") && !parts.getLast().equals("preview")) {
            changes.add(
                    "%s %s as %s"
                            .formatted(
                                    request.method(),
                                    String.join("/", parts.subList(3, parts.size()))
                                            .replaceAll("/?[0-9a-f]{8}-[0-9a-f-]{27}", ""),
                                    project));
        }
        return switch (parts.size()) {
            case 4 -> request.method().equals("GET") ? list(request) : create(request, project);
            case 5 -> FakeStackContent.preview(request);
            default -> one(request, project);
        };
    }

    private Said list(Asked request) {
        Map<String, String> query = request.query();
        String project = cloud.project(request);
        boolean all = query.containsKey("global_tenant");
        if (all && !(listsAll && project.equals(ENGINE))) {
            return refused(403, "You are not authorized to complete this action.");
        }
        List<Map<String, ?>> found =
                stacks.values().stream()
                        .filter(stack -> all || stack.project.equals(project))
                        .filter(stack -> stack.name.equals(query.getOrDefault("name", stack.name)))
                        .filter(stack -> stack.id.equals(query.getOrDefault("id", stack.id)))
                        .<Map<String, ?>>map(FakeStackContent::listed)
                        .toList();
        return Said.json(200, Map.of("stacks", found));
    }

    private Said create(Asked request, String project) {
        String name = request.body().path("stack_name").asString("");
        if (refusedNames-- > 0
                || stacks.values().stream()
                        .anyMatch(s -> s.name.equals(name) && s.project.equals(project))) {
            return refused(409, "The Stack (" + name + ") already exists.");
        }
        Stack stack = new Stack(name, project);
        stacks.put(stack.id, stack);
        become(stack, request.body(), "CREATE");
        return Said.json(201, Map.of("stack", Map.of("id", stack.id)));
    }

    private void become(Stack stack, JsonNode body, String action) {
        templates.add(body.path("template"));
        stack.tag = body.path("tags").asString("");
        stack.content = stack.storesTexts ? FakeStackContent.withTexts(body) : body;
        stack.registry.remove(SITE);
        FakeStackResources.create(stack, body.path("template"));
        begin(stack, action);
    }

    private void begin(Stack stack, String action) {
        stack.looks = slowness;
        stack.status = action + "_IN_PROGRESS";
        stack.outcome = failure == null ? "_COMPLETE" : "_FAILED";
        stack.reason = Objects.requireNonNullElse(failure, "");
        failure = null;
    }

    private Said one(Asked request, String project) {
        List<String> parts = request.parts();
        Stack stack = stacks.get(parts.get(5));
        boolean isTheirs =
                stack != null
                        && stack.name.equals(parts.get(4))
                        && (stack.project.equals(project) || project.equals(ENGINE));
        if (stack == null || !isTheirs) {
            return refused(404, "The Stack could not be found.");
        }
        if (parts.size() > 6) {
            return switch (parts.get(6)) {
                case "resources" ->
                        Said.json(200, Map.of("resources", FakeStackResources.of(stack)));
                case "environment", "template", "files" ->
                        contentRefusal > 0
                                ? refused(
                                        project.equals(ENGINE) ? 403 : contentRefusal,
                                        "You cannot see it")
                                : FakeStackContent.of(stack, parts.get(6));
                default -> act(stack, request.body());
            };
        }
        return switch (request.method()) {
            case "PUT" -> {
                if (refusesUpdates) {
                    yield refused(400, "The parameter is not valid");
                }
                if (stack.status.endsWith("_IN_PROGRESS")) {
                    yield refused(409, "Stack already has an action in progress.");
                }
                stack.accepted = request.body();
                stack.looks = lateLooks;
                if (lateLooks == 0) {
                    beginUpdate(stack);
                }
                yield Said.nothing(202);
            }
            case "DELETE" -> {
                begin(stack, "DELETE");
                yield Said.nothing(204);
            }
            default -> look(stack);
        };
    }

    private void beginUpdate(Stack stack) {
        JsonNode body = Objects.requireNonNull(stack.accepted);
        stack.accepted = null;
        Map<String, String> before = Map.copyOf(stack.resources);
        become(stack, body, "UPDATE");
        stack.updates++;
        if (rollsBack) {
            stack.resources.clear();
            stack.resources.putAll(before);
            stack.status = "ROLLBACK_IN_PROGRESS";
            rollsBack = false;
        }
        stack.atBegin.run();
        stack.atBegin = () -> {};
    }

    /** Returns the stack, and completes its action after enough queries. */
    private Said look(Stack stack) {
        Said said = Said.json(200, Map.of("stack", FakeStackContent.shown(stack)));
        if (stack.accepted != null) {
            if (--stack.looks <= 0) {
                beginUpdate(stack);
            }
            return said;
        }
        if (stack.status.endsWith("_IN_PROGRESS") && stack.looks-- <= 0) {
            stack.status = stack.status.replace("_IN_PROGRESS", stack.outcome);
            if (stack.status.equals("DELETE_COMPLETE")) {
                stacks.remove(stack.id);
            }
            stack.afterwards.run();
            stack.afterwards = () -> {};
        }
        return said;
    }

    private Said act(Stack stack, JsonNode body) {
        if (stack.status.endsWith("_IN_PROGRESS")) {
            return refused(409, "Stack already has an action in progress.");
        }
        begin(stack, body.has("suspend") ? "SUSPEND" : "RESUME");
        return Said.nothing(200);
    }

    static Said refused(int status, String message) {
        return Said.json(status, Map.of("code", status, "error", Map.of("message", message)));
    }

    @Override
    public void close() {
        cloud.close();
    }

    /** A stack; each resource has an id and a type. */
    static final class Stack {

        final String id = UUID.randomUUID().toString();
        final String name;
        final String project;
        final Map<String, String> resources = new TreeMap<>();
        final Map<String, Object> registry = new TreeMap<>(Map.of("resources", Map.of()));
        String status = "";
        String reason = "";
        String tag = "";
        JsonNode content = MissingNode.getInstance();
        private String outcome = "_COMPLETE";
        private int looks;

        /** The number of updates so far, which stands for the time of the last one. */
        int updates;

        /** Whether Heat stores numbers among the values of parameters as texts. */
        boolean storesTexts;

        /** Called when the next action is complete. */
        Runnable afterwards = () -> {};

        /** Called when the next update begins, before a query shows that. */
        Runnable atBegin = () -> {};

        private @Nullable JsonNode accepted;

        /** Completes the action at the next query. */
        void hurry() {
            looks = 0;
        }

        private Stack(String name, String project) {
            this.name = name;
            this.project = project;
        }
    }
}
