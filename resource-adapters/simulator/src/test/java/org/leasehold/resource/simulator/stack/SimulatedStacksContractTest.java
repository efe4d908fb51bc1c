package org.leasehold.resource.simulator.stack;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Acting.Result;
import org.leasehold.resource.simulator.BehaviorRule;
import org.leasehold.resource.simulator.InjectedFault;
import org.leasehold.resource.simulator.stack.SimulatedStack.State;
import org.leasehold.vocabulary.ReservationId;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Tests the simulated stacks by the contract, and their states at starts and ends. */
class SimulatedStacksContractTest extends SimulatedStackRequests {

    @Test
    void a_start_creates_the_stack_in_the_project_and_returns_the_ids() {
        Result started = plugin().acting().onStart(of(parameters()));

        SimulatedStack stack = cloud().stacks().getFirst();
        assertThat(stack.project()).isEqualTo(project());
        assertThat(stack.reservation()).isEqualTo(reservation);
        assertThat(started)
                .isEqualTo(
                        new Result.Done(
                                Map.of(
                                        "stack_id",
                                        stack.id().toString(),
                                        "resources",
                                        Map.of("disk", stack.resources().get("disk").toString()))));
    }

    @Test
    void an_adjustment_adds_and_removes_resources_and_keeps_the_others() {
        assertDone(plugin().acting().onStart(of(parameters())));
        UUID disk = cloud().stacks().getFirst().resources().get("disk");
        Assignment larger = of(wish(Map.of("disk", DISK, "web", server("m1.small"))));

        assertDone(plugin().acting().onAdjust(larger, List.of()));
        assertThat(cloud().stacks().getFirst().resources())
                .containsOnlyKeys("disk", "web")
                .containsEntry("disk", disk);
        assertDone(plugin().acting().onAdjust(of(wish(Map.of())), List.of()));
        assertThat(cloud().stacks().getFirst().resources()).isEmpty();
    }

    @Test
    void an_adjustment_keeps_a_removed_resource_with_on_end_keep() {
        Map<String, Object> kept = new HashMap<>(DISK);
        kept.put("metadata", Map.of("leasehold", Map.of("on_end", "keep")));
        assertDone(plugin().acting().onStart(of(wish(Map.of("disk", kept, "other", DISK)))));

        assertDone(plugin().acting().onAdjust(of(wish(Map.of())), List.of()));

        assertThat(cloud().stacks().getFirst().resources()).isEmpty();
        assertThat(cloud().retainedResources()).containsExactly("disk");
    }

    @Test
    void a_failed_update_keeps_all_resources_until_it_is_repeated() {
        assertDone(plugin().acting().onStart(of(parameters())));
        cloud().addBehaviorRule(BehaviorRule.failing("adjust.update_stack", InjectedFault.BROKEN));

        assertThat(plugin().acting().onAdjust(of(wish(Map.of())), List.of()))
                .isInstanceOf(Result.Failed.class);
        assertThat(cloud().stacks().getFirst().resources()).containsOnlyKeys("disk");

        cloud().clearBehaviorRules();
        assertDone(plugin().acting().onAdjust(of(wish(Map.of())), List.of()));
        assertThat(cloud().stacks().getFirst().resources()).isEmpty();
    }

    @Test
    void a_start_with_an_invalid_template_is_a_permanent_fault() {
        assertThat(plugin().acting().onStart(of(wish(Map.of("web", Map.of())))))
                .isInstanceOfSatisfying(
                        Result.Failed.class,
                        failed ->
                                assertThat(failed.fault().kind()).isEqualTo(Fault.Kind.PERMANENT));
    }

    @Test
    void an_end_deletes_the_stack_and_keeps_resources_with_on_end_keep() {
        Map<String, Object> kept = new HashMap<>(DISK);
        kept.put("metadata", Map.of("leasehold", Map.of("on_end", "keep")));
        Assignment assignment = of(wish(Map.of("disk", kept, "other", DISK)));
        assertDone(plugin().acting().onStart(assignment));

        assertDone(plugin().acting().onEnd(assignment));

        assertThat(cloud().stacks()).isEmpty();
        assertThat(cloud().retainedResources()).containsExactly("disk");
    }

    @Test
    void an_end_suspends_a_new_stack_and_removes_it_from_the_reservation() {
        Map<String, @Nullable Object> wish = new HashMap<>(parameters());
        wish.put("on_end", "suspend");
        Assignment assignment = of(wish);
        assertDone(plugin().acting().onStart(assignment));

        assertDone(plugin().acting().onEnd(assignment));
        assertDone(plugin().acting().onEnd(assignment));

        assertThat(cloud().stacks())
                .singleElement()
                .satisfies(
                        stack -> {
                            assertThat(stack.state()).isEqualTo(State.SUSPENDED);
                            assertThat(stack.reservation()).isNull();
                        });
        assertThat(plugin().acting().inspect(reservation)).isEmpty();
    }

    @Test
    void an_existing_stack_is_suspended_before_the_start_and_at_the_end() {
        UUID id = cloud().createStack("mine", project(), template(Map.of("disk", DISK)));
        Assignment assignment = of(Map.of("stack_id", id.toString()));

        assertDone(plugin().acting().prepare(assignment));
        assertThat(state()).isEqualTo(State.SUSPENDED);
        assertDone(plugin().acting().onStart(assignment));
        assertThat(state()).isEqualTo(State.COMPLETE);
        assertDone(plugin().acting().onEnd(assignment));
        assertThat(state()).isEqualTo(State.SUSPENDED);
    }

    @Test
    void an_end_keeps_or_deletes_an_existing_stack_as_requested() {
        UUID id = cloud().createStack("mine", project(), template(Map.of("disk", DISK)));
        Assignment keeping = of(Map.of("stack_id", id.toString(), "on_end", "keep"));
        assertDone(plugin().acting().onStart(keeping));
        assertDone(plugin().acting().onEnd(keeping));
        assertThat(state()).isEqualTo(State.COMPLETE);

        Assignment deleting = of(Map.of("stack_id", id.toString(), "on_end", "delete"));
        assertDone(plugin().acting().onEnd(deleting));
        assertDone(plugin().acting().onEnd(deleting));
        assertThat(cloud().stacks()).isEmpty();
        assertThat(plugin().acting().onStart(deleting)).isInstanceOf(Result.Failed.class);
        assertDone(plugin().acting().prepare(deleting));
    }

    @Test
    void a_stack_of_another_project_is_not_changed() {
        UUID id = cloud().createStack("theirs", OTHERS, template(Map.of("disk", DISK)));
        Assignment assignment = of(Map.of("stack_id", id.toString(), "on_end", "delete"));

        assertDone(plugin().acting().prepare(assignment));
        assertThat(plugin().acting().onStart(assignment)).isInstanceOf(Result.Failed.class);
        assertDone(plugin().acting().onEnd(assignment));

        assertThat(state()).isEqualTo(State.COMPLETE);
    }

    @Test
    void a_second_lease_of_a_stack_waits_until_the_first_one_ends() {
        UUID id = cloud().createStack("mine", project(), template(Map.of("disk", DISK)));
        List<Acting.Other> others = new ArrayList<>();
        others.add(new Acting.Other(new ReservationId(UUID.randomUUID()), false));
        Assignment second =
                of(
                        Map.of("stack_id", id.toString(), "on_end", "delete"),
                        new Acting.Others() {
                            @Override
                            public Optional<Map<String, @Nullable Object>> requestOf(
                                    ReservationId holder) {
                                return Optional.empty();
                            }

                            @Override
                            public List<Acting.Other> findHolders(String parameter, Object value) {
                                return parameter.equals("stack_id") && value.equals(id.toString())
                                        ? others
                                        : List.of();
                            }
                        });

        assertDone(plugin().acting().prepare(second));
        assertThat(plugin().acting().onStart(second)).isInstanceOf(Result.Failed.class);
        assertDone(plugin().acting().onEnd(second));
        assertThat(state()).isEqualTo(State.COMPLETE);
        others.clear();
        assertDone(plugin().acting().onStart(second));
        assertDone(plugin().acting().onEnd(second));
        assertThat(cloud().stacks()).isEmpty();
    }

    private State state() {
        return cloud().stacks().getFirst().state();
    }

    private static void assertDone(Result result) {
        assertThat(result).isInstanceOf(Result.Done.class);
    }
}
