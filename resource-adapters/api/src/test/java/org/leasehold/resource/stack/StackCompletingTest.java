package org.leasehold.resource.stack;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.lease.Fault;
import org.leasehold.lease.ProjectId;
import org.leasehold.resource.Completing.Asker;
import org.leasehold.resource.Completing.Completion;
import org.leasehold.resource.stack.Stacks.Search;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

class StackCompletingTest {

    private static final String STACK_ID = "0f3c1f6e-53a4-4a1c-9a49-8f0c6a0b8a11";
    private static final Asker ASKER = new Asker(new ProjectId("p1"), "token", "req-1");
    private static final Part DATA = Part.volume("data", "OS::Cinder::Volume", "gold", 10);

    private final List<String> asked = new ArrayList<>();
    private Search answer = new Search.Found("", List.of(DATA), Map.of());

    private final StackCompleting completing =
            new StackCompleting(
                    new Stacks() {
                        @Override
                        public Search preview(Map<String, @Nullable Object> wish, Asker asker) {
                            asked.add("preview " + wish.get("template") + wish.get("parameters"));
                            return answer;
                        }

                        @Override
                        public Search find(String id, Asker asker) {
                            asked.add("find " + id);
                            return answer;
                        }
                    });

    private static Map<String, @Nullable Object> with(
            Map<String, @Nullable Object> wish, String name, List<Part> parts) {
        Map<String, @Nullable Object> complete = new HashMap<>(wish);
        complete.put("stack", new Blueprint(name, parts, List.of()).attributes());
        return complete;
    }

    @Test
    void a_wish_gets_what_the_cloud_says_its_template_makes() {
        Map<String, @Nullable Object> wish =
                Map.of("template", "resources: {}", "parameters", Map.of("n", 1));

        assertThat(completing.complete(wish, Map.of(), ASKER))
                .isEqualTo(new Completion.Complete(with(wish, "", List.of(DATA))));
        assertThat(asked).containsExactly("preview resources: {}{n=1}");
    }

    @Test
    void a_wish_for_a_stack_that_is_there_gets_its_name_and_its_parts() {
        answer = new Search.Found("mine", List.of(DATA), Map.of());
        Map<String, @Nullable Object> wish = Map.of("stack_id", STACK_ID);

        assertThat(completing.complete(wish, Map.of(), ASKER))
                .isEqualTo(new Completion.Complete(with(wish, "mine", List.of(DATA))));
        assertThat(asked).containsExactly("find " + STACK_ID);
    }

    @Test
    void what_the_cloud_answers_instead_is_told() {
        answer = new Search.NotFound();
        assertThat(completing.complete(Map.of("stack_id", STACK_ID), Map.of(), ASKER))
                .isEqualTo(
                        new Completion.NotFound(
                                "stack_id", "Stack " + STACK_ID + " could not be found."));
        answer = new Search.Refused("no such parameter");
        assertThat(completing.complete(Map.of("template", "resources: {}"), Map.of(), ASKER))
                .isEqualTo(new Completion.Refused("template", "no such parameter"));
        Fault away = new Fault(Fault.Kind.RETRYABLE, "Heat is away");
        answer = new Search.Unknown(away);
        assertThat(completing.complete(Map.of("template", "resources: {}"), Map.of(), ASKER))
                .isEqualTo(new Completion.Unknown(away));
    }

    @Test
    void an_end_that_nobody_can_bring_about_is_refused_before_it_is_promised() {
        answer = new Search.Found("", List.of(DATA), Map.of("data", "keep"));

        assertThat(completing.complete(Map.of("template", "resources: {}"), Map.of(), ASKER))
                .isInstanceOf(Completion.Refused.class);
    }

    @Test
    void what_a_preview_does_not_show_is_refused_before_it_is_asked_for() {
        Map<String, @Nullable Object> wish =
                Map.of("template", "resources: {web: {type: 'http://there/x.yaml'}}");

        assertThat(completing.complete(wish, Map.of(), ASKER))
                .isInstanceOfSatisfying(
                        Completion.Refused.class,
                        refused -> assertThat(refused.field()).isEqualTo("template"));
        assertThat(asked).isEmpty();
    }

    @Test
    void a_refusal_names_what_was_asked_for() {
        answer = new Search.Refused("The Parameter (n) was not defined in template.");
        Map<String, @Nullable Object> present =
                with(Map.of("template", "resources: {}"), "", List.of());

        assertThat(completing.complete(Map.of("parameters", Map.of("n", 2)), present, ASKER))
                .isEqualTo(
                        new Completion.Refused(
                                "parameters", "The Parameter (n) was not defined in template."));
    }

    @Test
    void what_is_masked_does_not_change() {
        Map<String, @Nullable Object> present =
                with(
                        Map.of(
                                "template",
                                "{parameters: {n: {}, key: {hidden: true}}, resources: {}}",
                                "parameters",
                                Map.of("n", 1, "key", "secret")),
                        "",
                        List.of());
        Map<String, @Nullable Object> told = new StackPlanning().told(present);
        assertThat(told.get("parameters")).isEqualTo(Map.of("n", 1, "key", "******"));

        assertThat(
                        completing.complete(
                                Map.of("parameters", Map.of("n", 2, "key", "******")),
                                present,
                                ASKER))
                .isInstanceOfSatisfying(
                        Completion.Complete.class,
                        complete ->
                                assertThat(complete.parameters().get("parameters"))
                                        .isEqualTo(Map.of("n", 2, "key", "secret")));
    }

    @Test
    void a_change_asks_only_if_the_stack_is_to_be_made_of_something_else() {
        Map<String, @Nullable Object> present =
                with(
                        Map.of("template", "resources: {}", "parameters", Map.of("n", 1)),
                        "",
                        List.of());

        for (Map<String, @Nullable Object> nothing :
                List.<Map<String, @Nullable Object>>of(
                        Map.of("on_end", "suspend"), Map.of("template", "resources: {}"))) {
            assertThat(completing.complete(nothing, present, ASKER))
                    .isEqualTo(new Completion.Complete(nothing));
        }
        assertThat(asked).isEmpty();

        Map<String, @Nullable Object> more = Map.of("parameters", Map.of("n", 2));
        assertThat(completing.complete(more, present, ASKER))
                .isEqualTo(new Completion.Complete(with(more, "", List.of(DATA))));
        assertThat(asked).containsExactly("preview resources: {}{n=2}");
    }

    @Test
    void what_planning_refuses_is_left_to_it() {
        Map<String, @Nullable Object> wish =
                Map.of("template", "resources: {}", "on_end", "explode");

        assertThat(completing.complete(wish, Map.of(), ASKER))
                .isEqualTo(new Completion.Complete(wish));
        assertThat(asked).isEmpty();
    }
}
