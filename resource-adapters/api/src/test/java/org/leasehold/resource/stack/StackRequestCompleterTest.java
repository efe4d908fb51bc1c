package org.leasehold.resource.stack;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.lease.Fault;
import org.leasehold.resource.RequestCompleter.Asker;
import org.leasehold.resource.RequestCompleter.Completion;
import org.leasehold.resource.stack.Stacks.Search;
import org.leasehold.vocabulary.ProjectId;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

class StackRequestCompleterTest {

    private static final String STACK_ID = "0f3c1f6e-53a4-4a1c-9a49-8f0c6a0b8a11";
    private static final Asker ASKER = new Asker(new ProjectId("p1"), "token", "req-1");
    private static final StackComponent DATA =
            StackComponent.volume("data", "OS::Cinder::Volume", "gold", 10);

    private final List<String> asked = new ArrayList<>();
    private Search answer = new Search.Found("", List.of(DATA), Map.of());

    private final StackRequestCompleter completing =
            new StackRequestCompleter(
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
            Map<String, @Nullable Object> wish, String name, List<StackComponent> parts) {
        Map<String, @Nullable Object> complete = new HashMap<>(wish);
        complete.put("stack", new StackDescription(name, parts).attributes());
        return complete;
    }

    @Test
    void a_request_is_completed_with_the_preview_of_the_template() {
        Map<String, @Nullable Object> wish =
                Map.of("template", "resources: {}", "parameters", Map.of("n", 1));

        assertThat(completing.complete(wish, Map.of(), ASKER))
                .isEqualTo(new Completion.Complete(with(wish, "", List.of(DATA))));
        assertThat(asked).containsExactly("preview resources: {}{n=1}");
    }

    @Test
    void a_request_for_an_existing_stack_gets_the_name_and_the_parts() {
        answer = new Search.Found("mine", List.of(DATA), Map.of());
        Map<String, @Nullable Object> wish = Map.of("stack_id", STACK_ID);

        assertThat(completing.complete(wish, Map.of(), ASKER))
                .isEqualTo(new Completion.Complete(with(wish, "mine", List.of(DATA))));
        assertThat(asked).containsExactly("find " + STACK_ID);
    }

    @Test
    void a_missing_refused_or_unknown_stack_is_reported() {
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
    void an_impossible_end_action_is_refused() {
        answer = new Search.Found("", List.of(DATA), Map.of("data", "keep"));

        assertThat(completing.complete(Map.of("template", "resources: {}"), Map.of(), ASKER))
                .isInstanceOf(Completion.Refused.class);
    }

    @Test
    void a_template_with_hidden_resources_is_refused_before_the_preview() {
        Map<String, @Nullable Object> wish =
                Map.of("template", "resources: {web: {type: 'http://there/x.yaml'}}");

        assertThat(completing.complete(wish, Map.of(), ASKER))
                .isInstanceOfSatisfying(
                        Completion.Refused.class,
                        refused -> assertThat(refused.field()).isEqualTo("template"));
        assertThat(asked).isEmpty();
    }

    @Test
    void a_refusal_names_the_changed_parameter() {
        answer = new Search.Refused("The Parameter (n) was not defined in template.");
        Map<String, @Nullable Object> present =
                with(Map.of("template", "resources: {}"), "", List.of());

        assertThat(completing.complete(Map.of("parameters", Map.of("n", 2)), present, ASKER))
                .isEqualTo(
                        new Completion.Refused(
                                "parameters", "The Parameter (n) was not defined in template."));
    }

    @Test
    void a_masked_parameter_keeps_the_secret_value() {
        Map<String, @Nullable Object> present =
                with(
                        Map.of(
                                "template",
                                "{parameters: {n: {}, key: {hidden: true}}, resources: {}}",
                                "parameters",
                                Map.of("n", 1, "key", "secret")),
                        "",
                        List.of());
        Map<String, @Nullable Object> redacted = new StackPlanning().redact(present);
        assertThat(redacted.get("parameters")).isEqualTo(Map.of("n", 1, "key", "******"));

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
    void a_change_is_previewed_only_if_the_content_of_the_stack_changes() {
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
    void an_invalid_request_is_not_previewed() {
        Map<String, @Nullable Object> wish =
                Map.of("template", "resources: {}", "on_end", "explode");

        assertThat(completing.complete(wish, Map.of(), ASKER))
                .isEqualTo(new Completion.Complete(wish));
        assertThat(asked).isEmpty();
    }
}
