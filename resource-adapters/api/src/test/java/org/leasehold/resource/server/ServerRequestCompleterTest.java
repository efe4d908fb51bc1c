package org.leasehold.resource.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.lease.Fault;
import org.leasehold.resource.RequestCompleter;
import org.leasehold.resource.RequestCompleter.Completion;
import org.leasehold.vocabulary.ProjectId;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

class ServerRequestCompleterTest {

    private static final String THERE = "6edbc2f4-1507-44f8-ac0d-eed1d2608d38";
    private static final String GONE = "9f1a35a4-0f5b-4a0a-9a57-6f0f5f6f9c11";
    private static final String AWAY = "0c6a8c1e-2f0d-4a7b-8a58-1b2f5a6f9c22";
    private static final RequestCompleter.Asker ASKER =
            new RequestCompleter.Asker(new ProjectId("p1"), null, "req-1");
    private static final Fault FAULT = new Fault(Fault.Kind.RETRYABLE, "Nova is away");

    private final List<String> asked = new ArrayList<>();
    private final ServerRequestCompleter completing = new ServerRequestCompleter(this::find);

    private Servers.Search find(String id, ProjectId project) {
        asked.add(id + " of " + project.value());
        return switch (id) {
            case THERE -> new Servers.Search.Found(new ComputeCapacity("nova", 2, 4096, 20));
            case AWAY -> new Servers.Search.Unknown(FAULT);
            default -> new Servers.Search.NotFound();
        };
    }

    private Completion complete(Map<String, @Nullable Object> wish) {
        return completing.complete(wish, Map.of(), ASKER);
    }

    @Test
    void a_request_is_completed_with_the_server_from_the_cloud() {
        assertThat(complete(Map.of("server_id", THERE, "on_end", "keep")))
                .isEqualTo(
                        new Completion.Complete(
                                Map.of(
                                        "server_id",
                                        THERE,
                                        "on_end",
                                        "keep",
                                        "server",
                                        Map.of(
                                                "availability_zone",
                                                "nova",
                                                "vcpus",
                                                2L,
                                                "memory_mb",
                                                4096L,
                                                "local_gb",
                                                20L))));
        assertThat(asked).containsExactly(THERE + " of p1");
    }

    @Test
    void a_missing_server_is_named() {
        assertThat(complete(Map.of("server_id", GONE)))
                .isEqualTo(
                        new Completion.NotFound(
                                "server_id", "Server " + GONE + " could not be found."));
    }

    @Test
    void a_failed_lookup_leaves_the_completion_unknown() {
        assertThat(complete(Map.of("server_id", AWAY))).isEqualTo(new Completion.Unknown(FAULT));
    }

    @Test
    void an_invalid_request_is_not_looked_up() {
        for (Map<String, @Nullable Object> wrong :
                List.<Map<String, @Nullable Object>>of(
                        Map.of(),
                        Map.of("server_id", "../flavors"),
                        Map.of("server_id", THERE, "on_end", "burn"))) {
            assertThat(complete(wrong)).isEqualTo(new Completion.Complete(wrong));
        }
        assertThat(asked).isEmpty();
    }

    @Test
    void a_change_needs_no_lookup() {
        Map<String, @Nullable Object> changes = Map.of("server_id", GONE, "on_end", "keep");

        assertThat(completing.complete(changes, Map.of("server_id", THERE), ASKER))
                .isEqualTo(new Completion.Complete(changes));
        assertThat(asked).isEmpty();
    }
}
