package org.leasehold.resource.simulator;

import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.Fault;
import org.leasehold.lease.ReservationId;
import org.leasehold.resource.Acting;
import org.leasehold.resource.simulator.SimulatedStack.State;
import org.leasehold.resource.stack.OnEnd;
import org.leasehold.resource.stack.OtherHolders;
import org.leasehold.resource.stack.StackPlanning;
import org.leasehold.resource.stack.Template;

import tools.jackson.databind.json.JsonMapper;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;

/** The acting half for simulated stacks: new ones, and those that projects have already. */
final class SimulatedStacks implements Acting {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final CloudStore store;
    private final StackTable table;

    SimulatedStacks(CloudStore store, StackTable table) {
        this.store = store;
        this.table = table;
    }

    @Override
    public Discovery discover(String name) {
        List<Discovery> found = new ArrayList<>();
        Result result = call("discover", call -> found.add(look(name)));
        return switch (result) {
            case Result.Done _ -> found.getFirst();
            case Result.Failed failed -> new Discovery.Unknown(failed.fault());
        };
    }

    private Discovery look(String name) {
        return table.pool(name)
                .<Discovery>map(pool -> new Discovery.Found(name, null, null, pool.attributes()))
                .orElseGet(Discovery.NotFound::new);
    }

    /** Does nothing, as pools are in no pool themselves. */
    @Override
    public Result enrol(ResourceId id, String name) {
        return call("enrol", call -> {});
    }

    @Override
    public Result retire(ResourceId id, String name) {
        return call("retire", call -> {});
    }

    @Override
    public Result prepare(Assignment assignment) {
        return call(
                "prepare",
                assignment,
                call ->
                        existing(assignment)
                                .filter(_ -> !OtherHolders.exist(assignment))
                                .ifPresent(stack -> become(call, stack, State.SUSPENDED)));
    }

    @Override
    public Result onStart(Assignment assignment) {
        Result result = call("start", assignment, call -> start(call, assignment));
        return result instanceof Result.Done ? told(assignment) : result;
    }

    private Result told(Assignment assignment) {
        return new Result.Done(own(assignment).map(SimulatedStacks::ids).orElseGet(Map::of));
    }

    private static Map<String, Object> ids(SimulatedStack stack) {
        Map<String, Object> resources = new TreeMap<>();
        stack.resources().forEach((name, id) -> resources.put(name, id.toString()));
        return Map.of(
                StackPlanning.STACK_ID, stack.id().toString(), StackPlanning.RESOURCES, resources);
    }

    @Override
    public Result onAdjust(Assignment assignment, List<Allocation> leaving) {
        Result result = call("adjust", assignment, call -> adjust(call, assignment));
        return result instanceof Result.Done ? told(assignment) : result;
    }

    @Override
    public Result beforeEnd(Assignment assignment) {
        return call("before_end", assignment, call -> {});
    }

    @Override
    public Result onEnd(Assignment assignment) {
        return call(
                "end",
                assignment,
                call ->
                        own(assignment)
                                .filter(_ -> !OtherHolders.exist(assignment))
                                .ifPresent(stack -> end(call, stack, assignment)));
    }

    @Override
    public List<String> inspect(ReservationId reservation) {
        return table.of(reservation).stream().map(stack -> thing(stack, reservation)).toList();
    }

    @Override
    public Survey survey() {
        return CloudCall.survey(
                store, () -> Survey.Seen.of(table.all().stream().flatMap(SimulatedStacks::held)));
    }

    private static Stream<Survey.Thing> held(SimulatedStack stack) {
        return Stream.ofNullable(stack.reservation())
                .map(reservation -> new Survey.Thing(reservation, thing(stack, reservation)));
    }

    private static String thing(SimulatedStack stack, ReservationId reservation) {
        return "stack %s %s reservation:%s"
                .formatted(stack.state(), stack.resources().keySet(), reservation);
    }

    private void start(CloudCall call, Assignment assignment) {
        if (OtherHolders.comeFirst(assignment)) {
            throw new CloudFailure(Fault.Kind.RETRYABLE, "The stack is in another lease");
        }
        if (StackPlanning.existing(assignment.parameters()).isPresent()) {
            become(call, existing(assignment).orElseThrow(() -> gone(assignment)), State.COMPLETE);
        } else if (own(assignment).isEmpty()) {
            make(call, assignment);
        }
    }

    private void make(CloudCall call, Assignment assignment) {
        SimulatedTemplate template = template(assignment);
        SimulatedStack stack =
                new SimulatedStack(
                        UUID.randomUUID(),
                        OtherHolders.stackName(assignment.reservation()),
                        assignment.project(),
                        request(assignment),
                        State.COMPLETE,
                        new TreeMap<>(),
                        assignment.reservation());
        call.step(
                "create_stack",
                null,
                () -> table.create(stack, template.elements(), template.policies()));
    }

    /** Updates a new stack. Only its project changes a stack that it had before. */
    private void adjust(CloudCall call, Assignment assignment) {
        if (StackPlanning.existing(assignment.parameters()).isPresent()) {
            return;
        }
        SimulatedStack stack = own(assignment).orElseThrow(() -> gone(assignment));
        if (!stack.request().equals(request(assignment))) {
            SimulatedTemplate template = template(assignment);
            call.step(
                    "update_stack",
                    null,
                    () ->
                            table.update(
                                    stack.id(),
                                    request(assignment),
                                    template.elements(),
                                    template.policies()));
        }
    }

    private static String request(Assignment assignment) {
        return JSON.writeValueAsString(Template.request(assignment));
    }

    private static SimulatedTemplate template(Assignment assignment) {
        try {
            return SimulatedTemplate.of(Template.request(assignment));
        } catch (IllegalArgumentException noTemplate) {
            throw new CloudFailure(Fault.Kind.PERMANENT, String.valueOf(noTemplate.getMessage()));
        }
    }

    private static CloudFailure gone(Assignment assignment) {
        return new CloudFailure(
                Fault.Kind.INSUFFICIENT_RESOURCES,
                "The project has no stack "
                        + StackPlanning.existing(assignment.parameters())
                                .orElse("of the reservation " + assignment.reservation()));
    }

    private Optional<SimulatedStack> own(Assignment assignment) {
        return StackPlanning.existing(assignment.parameters()).isPresent()
                ? existing(assignment)
                : table.of(assignment.reservation());
    }

    private Optional<SimulatedStack> existing(Assignment assignment) {
        return StackPlanning.existing(assignment.parameters())
                .flatMap(id -> table.find(UUID.fromString(id)))
                .filter(stack -> stack.project().equals(assignment.project()));
    }

    private void end(CloudCall call, SimulatedStack stack, Assignment assignment) {
        switch (OnEnd.of(assignment.parameters())) {
            case DELETE -> call.step("delete_stack", null, () -> table.delete(stack.id()));
            case SUSPEND -> {
                become(call, stack, State.SUSPENDED);
                if (stack.reservation() != null) {
                    call.step("release_stack", null, () -> table.release(stack.id()));
                }
            }
            case KEEP -> {}
        }
    }

    private void become(CloudCall call, SimulatedStack stack, State state) {
        if (stack.state() != state) {
            call.step(operation(state), null, () -> table.setState(stack.id(), state));
        }
    }

    private static String operation(State state) {
        return switch (state) {
            case COMPLETE -> "resume_stack";
            case SUSPENDED -> "suspend_stack";
        };
    }

    /** Runs a call for a resource, without a reservation. */
    private Result call(String name, CloudCall.Steps steps) {
        return new CloudCall(store, name, null, () -> true).perform(steps);
    }

    private Result call(String name, Assignment assignment, CloudCall.Steps steps) {
        return new CloudCall(store, name, assignment.reservation(), assignment.fence())
                .perform(steps);
    }
}
