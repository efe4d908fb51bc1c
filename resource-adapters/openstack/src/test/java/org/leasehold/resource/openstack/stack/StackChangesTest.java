package org.leasehold.resource.openstack.stack;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Acting.Other;
import org.leasehold.resource.Acting.Others;
import org.leasehold.resource.Acting.Result;
import org.leasehold.resource.openstack.stack.FakeHeat.Stack;
import org.leasehold.vocabulary.ReservationId;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** The adjustments and the ends of stacks, and the stacks of several leases. */
class StackChangesTest extends OpenStackStacksFixture {

    @Test
    void an_adjustment_updates_the_stack_once_and_again_after_a_failure() {
        assertDone(acting.onStart(of(wish(Map.of("word", WORD)), TRUST)));
        Assignment larger = of(wish(Map.of("word", WORD, "more", WORD)), TRUST);

        assertDone(acting.onAdjust(larger, List.of()));
        assertThat(heat.stacks().getFirst().resources).containsOnlyKeys("word", "more");
        assertDone(acting.onAdjust(larger, List.of()));
        assertThat(heat.changes()).hasSize(2);

        heat.failNext("Quota exceeded");
        Assignment empty = of(wish(Map.of()), TRUST);
        assertFailed(acting.onAdjust(empty, List.of()), Fault.Kind.RETRYABLE, "Quota exceeded");
        assertDone(acting.onAdjust(empty, List.of()));
        assertThat(heat.stacks().getFirst().resources).isEmpty();
    }

    @Test
    void an_adjustment_that_heat_rejects_is_a_permanent_fault() {
        assertDone(acting.onStart(of(wish(Map.of("word", WORD)), TRUST)));
        heat.refuseUpdates();

        assertFailed(
                acting.onAdjust(of(wish(Map.of("more", WORD)), TRUST), List.of()),
                Fault.Kind.PERMANENT,
                "goes on as it was");
    }

    @Test
    void an_adjustment_returns_the_resource_ids_of_the_changed_stack() {
        assertDone(acting.onStart(of(wish(Map.of("word", WORD)), TRUST)));

        Result changed = acting.onAdjust(of(wish(Map.of("other", WORD)), TRUST), List.of());

        assertThat(((Result.Done) changed).cloudIds())
                .containsEntry("resources", Map.of("other", "other-id"));
    }

    @Test
    void a_second_lease_of_a_stack_waits_until_the_first_one_ends() {
        Stack existingStack = heat.stack("mine", "p1", Map.of());
        List<Other> others = new ArrayList<>();
        Assignment second =
                of(
                        existing(existingStack, "delete"),
                        TRUST,
                        new Others() {
                            @Override
                            public Optional<Map<String, @Nullable Object>> requestOf(
                                    ReservationId holder) {
                                return Optional.empty();
                            }

                            @Override
                            public List<Other> findHolders(String parameter, Object value) {
                                return parameter.equals("stack_id")
                                                && value.equals(existingStack.id)
                                        ? others
                                        : List.of();
                            }
                        });
        others.add(new Other(new ReservationId(UUID.randomUUID()), false));

        assertDone(acting.prepare(second));
        assertFailed(acting.onStart(second), Fault.Kind.RETRYABLE, "another lease");
        assertDone(acting.onEnd(second));
        assertThat(existingStack.status).isEqualTo("CREATE_COMPLETE");

        others.set(0, new Other(new ReservationId(new UUID(-1, -1)), true));
        boolean isSecond = reservation.value().compareTo(new UUID(-1, -1)) > 0;
        assertThat(acting.onStart(second) instanceof Result.Failed).isEqualTo(isSecond);
        others.clear();
        assertDone(acting.onStart(second));
        assertDone(acting.onEnd(second));
        assertThat(heat.stacks()).isEmpty();
    }

    @Test
    void a_lease_of_a_stack_waits_for_the_reservation_that_created_it() {
        ReservationId maker = new ReservationId(UUID.randomUUID());
        Stack made = heat.stack("leasehold-" + maker, "p1", Map.of());
        Others holding = holder -> holder.equals(maker) ? Optional.of(Map.of()) : Optional.empty();

        Assignment second = of(existing(made, "suspend"), TRUST, holding);
        assertDone(acting.prepare(second));
        assertFailed(acting.onStart(second), Fault.Kind.RETRYABLE, "another lease");
        assertThat(heat.changes()).isEmpty();
        assertDone(acting.prepare(of(existing(made, "suspend"), TRUST)));
        assertThat(made.status).isEqualTo("SUSPEND_COMPLETE");
    }

    @Test
    void an_end_needs_no_trust_but_the_right_to_list_all_stacks() {
        Assignment assignment = of(wish(Map.of("word", WORD)), TRUST);
        assertDone(acting.onStart(assignment));
        Assignment alone = of(wish(Map.of("word", WORD)), null);
        heat.listsAll(false);
        assertFailed(acting.onEnd(alone), Fault.Kind.DENIED, "");

        heat.listsAll(true);
        assertDone(acting.onEnd(alone));

        assertThat(heat.stacks()).isEmpty();
        assertThat(heat.changes()).last().isEqualTo("DELETE stacks/leasehold- as p-service");
    }

    @Test
    void an_end_succeeds_when_the_trust_is_gone() {
        Assignment assignment = of(wish(Map.of("word", WORD)), TRUST);
        assertDone(acting.onStart(assignment));
        heat.keystone().forgetTrusts();

        assertDone(acting.onEnd(assignment));

        assertThat(heat.stacks()).isEmpty();
    }

    @Test
    void an_end_suspends_a_new_stack_and_removes_it_from_the_reservation() {
        Map<String, @Nullable Object> wish = new HashMap<>(wish(Map.of("word", WORD)));
        wish.put("on_end", "suspend");
        Assignment assignment = of(wish, TRUST);
        assertDone(acting.onStart(assignment));
        assertThat(acting.inspect(reservation)).hasSize(1);

        assertDone(acting.onEnd(assignment));
        assertDone(acting.onEnd(assignment));

        assertThat(heat.stacks().getFirst().status).isEqualTo("SUSPEND_COMPLETE");
        assertThat(acting.inspect(reservation)).isEmpty();
    }

    @Test
    void an_existing_stack_is_suspended_before_the_start_and_at_the_end() {
        Stack existingStack = heat.stack("mine", "p1", Map.of("word", "w OS::Heat::RandomString"));
        Assignment assignment = of(existing(existingStack, "suspend"), TRUST);

        assertDone(acting.prepare(assignment));
        assertThat(existingStack.status).isEqualTo("SUSPEND_COMPLETE");
        assertDone(acting.onStart(assignment));
        assertThat(existingStack.status).isEqualTo("RESUME_COMPLETE");
        assertDone(acting.onAdjust(assignment, List.of()));
        assertDone(acting.onEnd(assignment));
        assertThat(existingStack.status).isEqualTo("SUSPEND_COMPLETE");
        assertThat(heat.changes())
                .containsExactly(
                        "POST stacks/mine/actions as p1",
                        "POST stacks/mine/actions as p1",
                        "POST stacks/mine/actions as p1");
    }

    @Test
    void an_end_keeps_or_deletes_an_existing_stack_as_requested() {
        Stack existingStack = heat.stack("mine", "p1", Map.of());
        assertDone(acting.onEnd(of(existing(existingStack, "keep"), null)));
        assertThat(existingStack.status).isEqualTo("CREATE_COMPLETE");

        assertDone(acting.onEnd(of(existing(existingStack, "delete"), null)));
        assertThat(heat.stacks()).isEmpty();
        assertFailed(
                acting.onStart(of(existing(existingStack, "delete"), TRUST)),
                Fault.Kind.INSUFFICIENT_RESOURCES,
                existingStack.id);
        assertDone(acting.prepare(of(existing(existingStack, "delete"), TRUST)));
    }
}
