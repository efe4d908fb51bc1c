package org.leasehold.resource.openstack.stack;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Acting.Result;
import org.leasehold.resource.openstack.stack.FakeHeat.Stack;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Tests which states of a stack in Heat confirm an update. */
class StackConfirmationsTest extends OpenStackStacksFixture {

    @Test
    void an_update_that_heat_rolls_back_is_no_confirmation() {
        assertDone(acting.onStart(of(wish(Map.of("word", WORD, "more", WORD)), TRUST)));
        Assignment smaller = of(wish(Map.of("word", WORD)), TRUST);
        heat.rollBackNext();

        assertFailed(
                acting.onAdjust(smaller, List.of()), Fault.Kind.RETRYABLE, "ROLLBACK_COMPLETE");
        assertThat(heat.stacks().getFirst().resources).containsOnlyKeys("word", "more");
        assertDone(acting.onAdjust(smaller, List.of()));
        assertThat(heat.stacks().getFirst().resources).containsOnlyKeys("word");
    }

    @Test
    void an_action_of_the_user_after_a_failed_update_is_no_confirmation() {
        assertDone(acting.onStart(of(wish(Map.of("word", WORD, "more", WORD)), TRUST)));
        Assignment smaller = of(wish(Map.of("word", WORD)), TRUST);
        heat.failNext("Quota exceeded");
        assertFailed(acting.onAdjust(smaller, List.of()), Fault.Kind.RETRYABLE, "Quota exceeded");
        heat.stacks().getFirst().status = "CHECK_COMPLETE";

        assertDone(acting.onAdjust(smaller, List.of()));

        assertThat(heat.stacks().getFirst().status).isEqualTo("UPDATE_COMPLETE");
        assertThat(heat.changes()).hasSize(3);
    }

    @Test
    void an_update_that_heat_has_yet_to_begin_is_no_confirmation() {
        assertDone(acting.onStart(of(wish(Map.of("word", WORD, "more", WORD)), TRUST)));
        heat.beginLate(3);

        assertDone(acting.onAdjust(of(wish(Map.of("word", WORD)), TRUST), List.of()));

        assertThat(heat.stacks().getFirst().status).isEqualTo("UPDATE_COMPLETE");
        assertThat(heat.stacks().getFirst().resources).containsOnlyKeys("word");
    }

    @Test
    void a_repeated_call_after_the_confirmation_confirms_without_a_request() {
        assertDone(acting.onStart(of(wish(Map.of("word", WORD, "more", WORD)), TRUST)));
        Assignment smaller = of(wish(Map.of("word", WORD)), TRUST);
        assertDone(acting.onAdjust(smaller, List.of()));
        int changes = heat.changes().size();

        assertDone(acting.onAdjust(smaller, List.of()));

        assertThat(heat.changes()).hasSize(changes);
    }

    @Test
    void an_update_of_the_user_with_the_same_tag_is_no_confirmation() {
        assertDone(acting.onStart(of(wish(Map.of("word", WORD, "more", WORD)), TRUST)));
        Assignment smaller = of(wish(Map.of("word", WORD)), TRUST);
        assertDone(acting.onAdjust(smaller, List.of()));
        Stack stack = heat.stacks().getFirst();
        stack.resources.put("more", "more-id " + WORD.get("type"));
        heat.updateAsUser(
                stack,
                Map.of("template", wish(Map.of("word", WORD, "more", WORD)).get("template")));

        assertDone(acting.onAdjust(smaller, List.of()));

        assertThat(stack.resources).containsOnlyKeys("word");
    }

    @Test
    void other_values_of_the_user_for_the_same_template_are_no_confirmation() {
        Map<String, @Nullable Object> wish = new HashMap<>(wish(Map.of("word", WORD)));
        wish.put("parameters", Map.of("size", 1.50, "secret", "s"));
        wish.put("environment", Map.of("parameters", Map.of("size", 7, "zone", "a")));
        Assignment assignment = of(wish, TRUST);
        assertDone(acting.onStart(of(wish(Map.of()), TRUST)));
        assertDone(acting.onAdjust(assignment, List.of()));
        int changes = heat.changes().size();
        Stack stack = heat.stacks().getFirst();

        // Heat hides some values, and returns numbers in another form.
        updateValues(stack, Map.of("size", 1.5, "secret", "******", "zone", "a"));
        assertDone(acting.onAdjust(assignment, List.of()));
        assertThat(heat.changes()).hasSize(changes);

        updateValues(stack, Map.of("size", 2, "secret", "******", "zone", "a"));
        assertDone(acting.onAdjust(assignment, List.of()));
        assertThat(heat.changes()).hasSize(changes + 1);
    }

    @Test
    void defaults_or_types_of_the_user_in_the_environment_are_no_confirmation() {
        Map<String, ?> environment =
                Map.of(
                        "parameter_defaults",
                        Map.of("n", 1, "secret", "s"),
                        "resource_registry",
                        Map.of("My::Word", "a.yaml"));
        Map<String, @Nullable Object> wish = new HashMap<>(wish(Map.of("word", WORD)));
        wish.put("environment", environment);
        Assignment assignment = of(wish, TRUST);
        assertDone(acting.onStart(of(wish(Map.of()), TRUST)));
        assertDone(acting.onAdjust(assignment, List.of()));
        int changes = heat.changes().size();

        for (String field : List.of("parameter_defaults", "resource_registry")) {
            Map<String, Object> shown = new HashMap<>(environment);
            shown.put("parameter_defaults", Map.of("n", 1, "secret", "******"));
            updateEnvironment(shown);
            assertDone(acting.onAdjust(assignment, List.of()));
            assertThat(heat.changes()).hasSize(changes);

            shown.put(field, Map.of("n", 3, "My::Word", "b.yaml", "secret", "******"));
            updateEnvironment(shown);
            assertDone(acting.onAdjust(assignment, List.of()));
            assertThat(heat.changes()).hasSize(++changes);
        }
    }

    private void updateEnvironment(Map<String, Object> environment) {
        heat.updateAsUser(
                heat.stacks().getFirst(),
                Map.of(
                        "template",
                        Map.of("resources", Map.of("word", WORD)),
                        "environment",
                        environment));
    }

    @Test
    void a_completed_update_is_a_confirmation_whatever_form_heat_stores() {
        Map<String, @Nullable Object> wish = new HashMap<>(wish(Map.of("word", WORD)));
        wish.put("parameters", Map.of("size", 1));
        Assignment assignment = of(wish, TRUST);
        assertDone(acting.onStart(of(wish(Map.of()), TRUST)));
        heat.stacks().getFirst().storesTexts = true;
        assertDone(acting.onAdjust(assignment, List.of()));
        assertThat(heat.changes()).hasSize(2);

        // Nothing shows the repeated call that the update was its own.
        heat.beginLate(3);
        assertDone(acting.onAdjust(assignment, List.of()));
        assertThat(heat.changes()).hasSize(3);
    }

    @Test
    void an_update_of_the_user_right_after_the_engines_is_no_confirmation() {
        Stack stack = startLarger();
        stack.afterwards = () -> restoreLarger(stack);

        assertReductionNeedsAnotherUpdate();
    }

    @Test
    void an_update_of_the_user_before_the_engine_looks_is_no_confirmation() {
        Stack stack = startLarger();
        heat.beginLate(1);
        stack.atBegin = () -> restoreLarger(stack);

        assertReductionNeedsAnotherUpdate();
    }

    private Stack startLarger() {
        assertDone(acting.onStart(of(larger(), TRUST)));
        return heat.stacks().getFirst();
    }

    /** Updates the stack as its user, to the template from before the reduction. */
    private void restoreLarger(Stack stack) {
        heat.updateAsUser(stack, Map.of("template", larger().get("template")));
    }

    private static Map<String, @Nullable Object> larger() {
        return wish(Map.of("word", WORD, "more", WORD));
    }

    private void assertReductionNeedsAnotherUpdate() {
        Assignment smaller = of(wish(Map.of("word", WORD)), TRUST);

        assertFailed(
                acting.onAdjust(smaller, List.of()), Fault.Kind.RETRYABLE, "content of its lease");
        assertDone(acting.onAdjust(smaller, List.of()));
    }

    @Test
    void an_update_after_a_failed_one_is_awaited_until_heat_begins_it() {
        assertDone(acting.onStart(of(wish(Map.of("word", WORD, "more", WORD)), TRUST)));
        Assignment smaller = of(wish(Map.of("word", WORD)), TRUST);
        heat.failNext("Quota exceeded");
        assertFailed(acting.onAdjust(smaller, List.of()), Fault.Kind.RETRYABLE, "Quota exceeded");
        heat.beginLate(3);

        assertDone(acting.onAdjust(smaller, List.of()));
    }

    @Test
    void a_stack_with_hidden_content_is_confirmed_by_the_tag() {
        assertDone(acting.onStart(of(wish(Map.of("word", WORD, "more", WORD)), TRUST)));
        Assignment smaller = of(wish(Map.of("word", WORD)), TRUST);
        assertDone(acting.onAdjust(smaller, List.of()));
        heat.refuseContent(403);

        assertDone(acting.onAdjust(smaller, List.of()));
    }

    @Test
    void a_stack_whose_content_has_gone_is_not_confirmed() {
        assertDone(acting.onStart(of(wish(Map.of("word", WORD, "more", WORD)), TRUST)));
        Assignment smaller = of(wish(Map.of("word", WORD)), TRUST);
        assertDone(acting.onAdjust(smaller, List.of()));
        heat.refuseContent(404);

        assertThat(acting.onAdjust(smaller, List.of())).isInstanceOf(Result.Failed.class);
    }

    private void updateValues(Stack stack, Map<String, Object> values) {
        heat.updateAsUser(
                stack,
                Map.of(
                        "template",
                        Map.of("resources", Map.of("word", WORD)),
                        "parameters",
                        values));
    }
}
