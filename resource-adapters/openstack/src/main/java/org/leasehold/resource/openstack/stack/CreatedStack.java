package org.leasehold.resource.openstack.stack;

import org.leasehold.lease.Fault;
import org.leasehold.resource.openstack.CloudFailure;
import org.leasehold.resource.openstack.heat.ExistingStack;
import org.leasehold.resource.openstack.heat.HeatChanges;
import org.leasehold.resource.openstack.heat.StackContent;
import org.leasehold.resource.stack.OtherStackHolders;
import org.leasehold.resource.stack.StackEndAction;
import org.leasehold.resource.stack.Template;

import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;

/** A stack that is created for a reservation. It is found by its name, in its project. */
record CreatedStack(StackOperations call) implements ReservedStack {

    private static final JsonMapper SORTED_JSON =
            JsonMapper.builder().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS).build();

    private Optional<ExistingStack> find() {
        return call.findByName(stackName());
    }

    private String stackName() {
        return OtherStackHolders.stackName(call.assignment().reservation());
    }

    @Override
    public void suspend() {
        call.suspend(this::find);
    }

    /**
     * Creates the stack. A failed creation is deleted; a retry waits for the deletion and starts
     * again. Nothing may outlive the deletion, so deletion policies are set after the creation. A
     * stack of this name with other content is updated.
     */
    @Override
    public Map<String, Object> start() {
        call.awaitIdle(this::find);
        if (find().isEmpty()) {
            Map<String, Object> request = Template.requestWithoutPolicies(call.assignment());
            call.createIfAbsent(this::find, as -> as.create(stackName(), request, tag(request)));
            call.awaitIdle(this::find);
        }
        ExistingStack made =
                find().orElseThrow(
                                () ->
                                        StackOperations.failure(
                                                Fault.Kind.RETRYABLE, stackName() + " has gone"));
        if (made.hasFailed() && (made.hasAction("CREATE") || made.hasAction("DELETE"))) {
            call.sendChange(made, HeatChanges::delete);
            throw StackOperations.failure(Fault.Kind.RETRYABLE, made.toString());
        }
        return applyRequest();
    }

    /**
     * Updates the stack, unless its tag and its content show that this was its last request: a user
     * may update it, too. Heat may store values in another form, so an own update is known by its
     * time, its template and its files. Returns only when Heat has completed that: the calendar
     * then frees what the stack no longer needs.
     */
    @Override
    public Map<String, Object> applyRequest() {
        call.awaitIdle(this::find);
        ExistingStack before = find().orElseThrow(this::missingStack);
        Map<String, Object> request = Template.request(call.assignment());
        if (hasCompleted(before, request)
                && call.hasContent(before, content -> content.matches(request))) {
            return call.ids(before);
        }
        update(before, request);
        Optional<String> time = call.awaitUpdate(this::find, before, tag(request));
        ExistingStack after = find().orElseThrow(this::missingStack);
        // The time may be that of a user's update right after the own one.
        boolean mayBeOwnUpdate = time.equals(Optional.of(after.updated()));
        Predicate<StackContent> comparison =
                content -> mayBeOwnUpdate ? content.hasTemplate(request) : content.matches(request);
        if (!hasCompleted(after, request) || !call.hasContent(after, comparison)) {
            throw StackOperations.failure(
                    Fault.Kind.RETRYABLE, after + " has not got the content of its lease");
        }
        return call.ids(after);
    }

    private static boolean hasCompleted(ExistingStack stack, Map<String, Object> request) {
        return stack.tags().contains(tag(request)) && stack.hasRequestedContent();
    }

    private void update(ExistingStack stack, Map<String, Object> request) {
        try {
            call.userChanges().update(stack, request, tag(request));
        } catch (CloudFailure failure) {
            throw failure.fault().kind() == Fault.Kind.PERMANENT
                    ? failure.withExplanation(Fault.Kind.PERMANENT, stack + " goes on as it was")
                    : failure;
        }
    }

    @Override
    public void end() {
        switch (StackEndAction.of(call.assignment().parameters())) {
            case DELETE -> call.delete(this::find);
            case SUSPEND -> {
                if (find().filter(stack -> stack.hasFailed() && stack.hasAction("CREATE"))
                        .isEmpty()) {
                    call.suspend(this::find);
                } else {
                    call.delete(this::find);
                }
            }
            case KEEP -> {}
        }
    }

    /** Returns a tag that identifies a template with all that belongs to it. */
    private static String tag(Map<String, Object> request) {
        byte[] json = SORTED_JSON.writeValueAsString(request).getBytes(StandardCharsets.UTF_8);
        return "leasehold-" + UUID.nameUUIDFromBytes(json);
    }

    private CloudFailure missingStack() {
        return StackOperations.failure(
                Fault.Kind.INSUFFICIENT_RESOURCES, "The project has no stack " + stackName());
    }
}
