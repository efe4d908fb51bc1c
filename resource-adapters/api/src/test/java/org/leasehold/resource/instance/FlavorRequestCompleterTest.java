package org.leasehold.resource.instance;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.lease.Fault;
import org.leasehold.resource.RequestCompleter;
import org.leasehold.resource.RequestCompleter.Completion;
import org.leasehold.vocabulary.ProjectId;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

class FlavorRequestCompleterTest {

    private static final RequestCompleter.Asker ASKER =
            new RequestCompleter.Asker(new ProjectId("p1"), null, "req-1");
    private static final Fault AWAY = new Fault(Fault.Kind.RETRYABLE, "Nova is away");
    private static final Flavor SMALL =
            new Flavor("small", "m1.small", 2, 4096, 20, 10, 0, Map.of("hw:numa_nodes", "1"));

    private final List<String> asked = new ArrayList<>();
    private final FlavorRequestCompleter completing = new FlavorRequestCompleter(this::find);

    private Flavors.Search find(String id, ProjectId project) {
        asked.add(id + " for " + project.value());
        return switch (id) {
            case "small" -> new Flavors.Search.Found(SMALL);
            case "away" -> new Flavors.Search.Unknown(AWAY);
            default -> new Flavors.Search.NotFound();
        };
    }

    private Completion complete(Map<String, @Nullable Object> wish) {
        return completing.complete(wish, Map.of(), ASKER);
    }

    private static Map<String, @Nullable Object> wish(Object flavor) {
        Map<String, @Nullable Object> wish = new HashMap<>();
        wish.put("flavor_id", flavor);
        wish.put("amount", 1);
        wish.put("affinity", null);
        return wish;
    }

    @Test
    void a_request_is_completed_with_the_flavor_from_the_cloud() {
        Map<String, @Nullable Object> complete = wish("small");
        complete.put("flavor", SMALL.parameters());

        assertThat(complete(wish("small"))).isEqualTo(new Completion.Complete(complete));
        assertThat(asked).containsExactly("small for p1");
    }

    @Test
    void a_missing_flavor_is_named() {
        assertThat(complete(wish(42)))
                .isEqualTo(new Completion.NotFound("flavor_id", "Flavor 42 could not be found."));
    }

    @Test
    void a_failed_lookup_leaves_the_completion_unknown() {
        assertThat(complete(wish("away"))).isEqualTo(new Completion.Unknown(AWAY));
    }

    @Test
    void an_invalid_request_is_not_looked_up() {
        Map<String, @Nullable Object> wrong = wish("small");
        wrong.put("amount", 0);

        assertThat(complete(wrong)).isEqualTo(new Completion.Complete(wrong));
        assertThat(complete(wish("../servers"))).isInstanceOf(Completion.Complete.class);
        assertThat(complete(Map.of("flavor_id", "small"))).isInstanceOf(Completion.Complete.class);
        assertThat(asked).isEmpty();
    }

    @Test
    void a_change_looks_up_only_a_different_flavor() {
        Map<String, @Nullable Object> present = wish("small");
        present.put("flavor", SMALL.parameters());
        Map<String, @Nullable Object> same = Map.of("flavor_id", "small", "amount", 2);

        assertThat(completing.complete(same, present, ASKER))
                .isEqualTo(new Completion.Complete(same));
        assertThat(completing.complete(Map.of("amount", 2), present, ASKER))
                .isEqualTo(new Completion.Complete(Map.of("amount", 2)));
        assertThat(asked).isEmpty();
        assertThat(completing.complete(Map.of("flavor_id", "none"), present, ASKER))
                .isInstanceOf(Completion.NotFound.class);
    }
}
