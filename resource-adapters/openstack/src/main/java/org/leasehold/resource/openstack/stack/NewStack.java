package org.leasehold.resource.openstack.stack;

import org.leasehold.lease.Fault;
import org.leasehold.resource.openstack.CloudFailure;
import org.leasehold.resource.openstack.heat.ExistingStack;
import org.leasehold.resource.openstack.heat.HeatChanges;
import org.leasehold.resource.stack.OnEnd;
import org.leasehold.resource.stack.OtherHolders;
import org.leasehold.resource.stack.Template;

import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** A stack that is created for a reservation. It is found by its name, in its project. */
record NewStack(StackCall call) implements ReservedStack {

    private static final JsonMapper IN_ORDER =
            JsonMapper.builder().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS).build();

    private Optional<ExistingStack> find() {
        return call.named(name());
    }

    private String name() {
        return OtherHolders.stackName(call.assignment().reservation());
    }

    @Override
    public void rest() {
        call.rest(this::find);
    }

    /**
     * Creates the stack. A failed creation is deleted; a retry waits for the deletion and starts
     * again. Nothing may outlive the deletion, so deletion policies are set after the creation. A
     * stack of this name with other content is updated.
     */
    @Override
    public Map<String, Object> take() {
        call.settle(this::find);
        if (find().isEmpty()) {
            Map<String, Object> request = Template.passing(call.assignment());
            call.make(this::find, as -> as.create(name(), request, tag(request)));
            call.settle(this::find);
        }
        ExistingStack made =
                find().orElseThrow(
                                () ->
                                        StackCall.failure(
                                                Fault.Kind.RETRYABLE, name() + " has gone"));
        if (made.hasFailed() && (made.was("CREATE") || made.was("DELETE"))) {
            call.ask(made, HeatChanges::delete);
            throw StackCall.failure(Fault.Kind.RETRYABLE, made.toString());
        }
        return change();
    }

    /** Updates the stack, unless its tag shows that this was its last request. */
    @Override
    public Map<String, Object> change() {
        call.settle(this::find);
        ExistingStack before = find().orElseThrow(this::gone);
        Map<String, Object> request = Template.request(call.assignment());
        if (!before.tags().contains(tag(request)) || before.hasFailed()) {
            update(before, request);
            call.settle(this::find);
        }
        ExistingStack after = find().orElseThrow(this::gone);
        if (after.hasFailed()) {
            throw StackCall.failure(Fault.Kind.RETRYABLE, after.toString());
        }
        return call.ids(after);
    }

    private void update(ExistingStack stack, Map<String, Object> request) {
        try {
            call.asUserOnly().update(stack, request, tag(request));
        } catch (CloudFailure failure) {
            throw failure.fault().kind() == Fault.Kind.PERMANENT
                    ? failure.explained(Fault.Kind.PERMANENT, stack + " goes on as it was")
                    : failure;
        }
    }

    @Override
    public void end() {
        switch (OnEnd.of(call.assignment().parameters())) {
            case DELETE -> call.delete(this::find);
            case SUSPEND -> {
                if (find().filter(stack -> stack.hasFailed() && stack.was("CREATE")).isEmpty()) {
                    call.rest(this::find);
                } else {
                    call.delete(this::find);
                }
            }
            case KEEP -> {}
        }
    }

    /** Returns a tag that identifies a template with all that belongs to it. */
    private static String tag(Map<String, Object> request) {
        byte[] json = IN_ORDER.writeValueAsString(request).getBytes(StandardCharsets.UTF_8);
        return "leasehold-" + UUID.nameUUIDFromBytes(json);
    }

    private CloudFailure gone() {
        return StackCall.failure(
                Fault.Kind.INSUFFICIENT_RESOURCES, "The project has no stack " + name());
    }
}
