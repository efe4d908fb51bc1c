package org.leasehold.resource.simulator.stack;

import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Survey;
import org.leasehold.resource.simulator.CloudStore;
import org.leasehold.resource.simulator.SimulatedCloudCall;
import org.leasehold.resource.simulator.SimulatedCloudException;
import org.leasehold.resource.simulator.stack.SimulatedStack.State;
import org.leasehold.resource.stack.OtherStackHolders;
import org.leasehold.resource.stack.StackEndAction;
import org.leasehold.resource.stack.StackPlanning;
import org.leasehold.resource.stack.Template;
import org.leasehold.vocabulary.ReservationId;

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
        Result result = call("discover", call -> found.add(discoverPool(name)));
        return switch (result) {
            case Result.Done _ -> found.getFirst();
            case Result.Failed failed -> new Discovery.Unknown(failed.fault());
        };
    }

    private Discovery discoverPool(String name) {
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
                        findExistingStack(assignment)
                                .filter(_ -> !OtherStackHolders.exist(assignment))
                                .ifPresent(stack -> changeState(call, stack, State.SUSPENDED)));
    }

    @Override
    public Result onStart(Assignment assignment) {
        Result result = call("start", assignment, call -> start(call, assignment));
        return result instanceof Result.Done ? resultWithIds(assignment) : result;
    }

    private Result resultWithIds(Assignment assignment) {
        return new Result.Done(findStack(assignment).map(SimulatedStacks::ids).orElseGet(Map::of));
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
        return result instanceof Result.Done ? resultWithIds(assignment) : result;
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
                        findStack(assignment)
                                .filter(_ -> !OtherStackHolders.exist(assignment))
                                .ifPresent(stack -> end(call, stack, assignment)));
    }

    @Override
    public List<String> inspect(ReservationId reservation) {
        return table.findByReservation(reservation).stream()
                .map(stack -> describe(stack, reservation))
                .toList();
    }

    @Override
    public Survey survey() {
        return SimulatedCloudCall.survey(
                store,
                () -> Survey.Seen.of(table.all().stream().flatMap(SimulatedStacks::surveyEntries)));
    }

    private static Stream<Survey.Thing> surveyEntries(SimulatedStack stack) {
        return Stream.ofNullable(stack.reservation())
                .map(reservation -> new Survey.Thing(reservation, describe(stack, reservation)));
    }

    private static String describe(SimulatedStack stack, ReservationId reservation) {
        return "stack %s %s reservation:%s"
                .formatted(stack.state(), stack.resources().keySet(), reservation);
    }

    private void start(SimulatedCloudCall call, Assignment assignment) {
        if (OtherStackHolders.anyComesFirst(assignment)) {
            throw new SimulatedCloudException(
                    Fault.Kind.RETRYABLE, "The stack is in another lease");
        }
        if (StackPlanning.existing(assignment.parameters()).isPresent()) {
            changeState(
                    call,
                    findExistingStack(assignment).orElseThrow(() -> missingStack(assignment)),
                    State.COMPLETE);
        } else if (findStack(assignment).isEmpty()) {
            createStack(call, assignment);
        }
    }

    private void createStack(SimulatedCloudCall call, Assignment assignment) {
        SimulatedTemplate template = template(assignment);
        SimulatedStack stack =
                new SimulatedStack(
                        UUID.randomUUID(),
                        OtherStackHolders.stackName(assignment.reservation()),
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
    private void adjust(SimulatedCloudCall call, Assignment assignment) {
        if (StackPlanning.existing(assignment.parameters()).isPresent()) {
            return;
        }
        SimulatedStack stack = findStack(assignment).orElseThrow(() -> missingStack(assignment));
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
            throw new SimulatedCloudException(
                    Fault.Kind.PERMANENT, String.valueOf(noTemplate.getMessage()));
        }
    }

    private static SimulatedCloudException missingStack(Assignment assignment) {
        return new SimulatedCloudException(
                Fault.Kind.INSUFFICIENT_RESOURCES,
                "The project has no stack "
                        + StackPlanning.existing(assignment.parameters())
                                .orElse("of the reservation " + assignment.reservation()));
    }

    private Optional<SimulatedStack> findStack(Assignment assignment) {
        return StackPlanning.existing(assignment.parameters()).isPresent()
                ? findExistingStack(assignment)
                : table.findByReservation(assignment.reservation());
    }

    private Optional<SimulatedStack> findExistingStack(Assignment assignment) {
        return StackPlanning.existing(assignment.parameters())
                .flatMap(id -> table.find(UUID.fromString(id)))
                .filter(stack -> stack.project().equals(assignment.project()));
    }

    private void end(SimulatedCloudCall call, SimulatedStack stack, Assignment assignment) {
        switch (StackEndAction.of(assignment.parameters())) {
            case DELETE -> call.step("delete_stack", null, () -> table.delete(stack.id()));
            case SUSPEND -> {
                changeState(call, stack, State.SUSPENDED);
                if (stack.reservation() != null) {
                    call.step("release_stack", null, () -> table.release(stack.id()));
                }
            }
            case KEEP -> {}
        }
    }

    private void changeState(SimulatedCloudCall call, SimulatedStack stack, State state) {
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
    private Result call(String name, SimulatedCloudCall.Steps steps) {
        return new SimulatedCloudCall(store, name, null, () -> true).perform(steps);
    }

    private Result call(String name, Assignment assignment, SimulatedCloudCall.Steps steps) {
        return new SimulatedCloudCall(store, name, assignment.reservation(), assignment.fence())
                .perform(steps);
    }
}
