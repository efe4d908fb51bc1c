package org.leasehold.resource.openstack.heat;

import org.leasehold.resource.openstack.CloudRequest;
import org.leasehold.resource.openstack.FencedCloud;

import tools.jackson.databind.node.NullNode;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The requests that change Heat, each behind the fence. Heat does all the work later, and rejects
 * changes of a busy stack: read its status first.
 */
public final class HeatChanges {

    private final FencedCloud fenced;

    HeatChanges(FencedCloud fenced) {
        this.fenced = fenced;
    }

    /**
     * Creates a stack; after a failure, what was created until then stays.
     *
     * @param request the template and what belongs to it
     * @param tag the stack's tag
     * @return false if a stack has the name. Heat may show a deleted stack as gone before it frees
     *     the name.
     */
    public boolean create(String name, Map<String, Object> request, String tag) {
        Map<String, Object> body = new LinkedHashMap<>(request);
        body.put("stack_name", name);
        body.put("disable_rollback", true);
        body.put("tags", tag);
        return fenced.send(
                                CloudRequest.post(Heat.ORCHESTRATION, Heat.STACKS, body)
                                        .expecting(Heat.CONFLICT))
                        .status()
                != Heat.CONFLICT;
    }

    /**
     * Updates a stack to exactly what a template says.
     *
     * @param tag replaces the stack's tags
     */
    public void update(ExistingStack stack, Map<String, Object> request, String tag) {
        Map<String, Object> body = new LinkedHashMap<>(request);
        body.put("disable_rollback", true);
        body.put("tags", tag);
        fenced.send(CloudRequest.put(Heat.ORCHESTRATION, Heat.path(stack), body));
    }

    public void suspend(ExistingStack stack) {
        sendAction(stack, "suspend");
    }

    public void resume(ExistingStack stack) {
        sendAction(stack, "resume");
    }

    private void sendAction(ExistingStack stack, String action) {
        fenced.send(
                CloudRequest.post(
                                Heat.ORCHESTRATION,
                                Heat.path(stack) + "/actions",
                                Map.of(action, NullNode.getInstance()))
                        .expecting(Heat.NOT_FOUND));
    }

    public void delete(ExistingStack stack) {
        fenced.send(
                CloudRequest.delete(Heat.ORCHESTRATION, Heat.path(stack))
                        .expecting(Heat.NOT_FOUND));
    }
}
