package org.leasehold.resource.instance;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.lease.Fault;
import org.leasehold.lease.ProjectId;
import org.leasehold.resource.Completing;
import org.leasehold.resource.Completing.Completion;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

class FlavorCompletingTest {

    private static final Completing.Asker ASKER =
            new Completing.Asker(new ProjectId("p1"), null, "req-1");
    private static final Fault AWAY = new Fault(Fault.Kind.RETRYABLE, "Nova is away");
    private static final Flavor SMALL =
            new Flavor("small", "m1.small", 2, 4096, 20, 10, 0, Map.of("hw:numa_nodes", "1"));

    private final List<String> asked = new ArrayList<>();
    private final FlavorCompleting completing = new FlavorCompleting(this::find);

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
    void a_wish_gets_what_the_cloud_says_of_its_flavor_to_the_project() {
        Map<String, @Nullable Object> complete = wish("small");
        complete.put("flavor", SMALL.parameters());

        assertThat(complete(wish("small"))).isEqualTo(new Completion.Complete(complete));
        assertThat(asked).containsExactly("small for p1");
    }

    @Test
    void a_flavor_that_is_not_there_is_named() {
        assertThat(complete(wish(42)))
                .isEqualTo(new Completion.NotFound("flavor_id", "Flavor 42 could not be found."));
    }

    @Test
    void a_cloud_that_does_not_answer_has_not_said_no() {
        assertThat(complete(wish("away"))).isEqualTo(new Completion.Unknown(AWAY));
    }

    @Test
    void a_wish_that_is_wrong_anyway_is_not_asked_about() {
        Map<String, @Nullable Object> wrong = wish("small");
        wrong.put("amount", 0);

        assertThat(complete(wrong)).isEqualTo(new Completion.Complete(wrong));
        assertThat(complete(wish("../servers"))).isInstanceOf(Completion.Complete.class);
        assertThat(complete(Map.of("flavor_id", "small"))).isInstanceOf(Completion.Complete.class);
        assertThat(asked).isEmpty();
    }

    @Test
    void a_change_asks_about_another_flavor_only() {
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
