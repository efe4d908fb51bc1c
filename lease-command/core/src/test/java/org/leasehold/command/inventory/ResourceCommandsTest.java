package org.leasehold.command.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.leasehold.command.CommandContext;
import org.leasehold.command.Commands;
import org.leasehold.command.Outcome;
import org.leasehold.command.Outcome.Accepted;
import org.leasehold.command.Outcome.Rejected;
import org.leasehold.inventory.PropertyVisibility;
import org.leasehold.inventory.ResourceCommand;
import org.leasehold.inventory.ResourceCommand.ChangeResource;
import org.leasehold.inventory.ResourceCommand.DisableResource;
import org.leasehold.inventory.ResourceCommand.EnableResource;
import org.leasehold.inventory.ResourceCommand.EnrolResource;
import org.leasehold.inventory.ResourceCommand.RetireResource;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.inventory.ResourceRejection;
import org.leasehold.inventory.ResourceRejection.AlreadyEnrolled;
import org.leasehold.inventory.ResourceRejection.PropertiesReliedOn;
import org.leasehold.inventory.ResourceRejection.ResourceNotFound;
import org.leasehold.inventory.ResourceRejection.ResourceReserved;
import org.leasehold.vocabulary.LeaseId;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Sends commands to resources through the entry point, on two nodes and a real PostgreSQL. */
class ResourceCommandsTest {

    private static final Instant NOW = Instant.parse("2026-11-21T00:33:00Z");
    private static final UUID NIGHTLY = new UUID(0, 1);

    private static InventoryDatabase database;
    private static AnnotationConfigApplicationContext node;
    private static AnnotationConfigApplicationContext otherNode;

    private final Commands commands = node.getBean(Commands.class);
    private final Commands elsewhere = otherNode.getBean(Commands.class);
    private final ResourceId id = commands.nextResourceId();

    @BeforeAll
    static void start() {
        database = new InventoryDatabase();
        node = database.node();
        otherNode = database.node();
    }

    @AfterAll
    static void stop() throws IOException {
        otherNode.close();
        node.close();
        database.close();
    }

    @Test
    void the_row_of_a_resource_follows_the_events() {
        assertThat(send(enrol(id, "host-" + id))).isInstanceOf(Accepted.class);
        send(new ChangeResource(id, Map.of("rack", "b"), Set.of("gpu")));
        send(new DisableResource(id, "broken fan"));
        send(new DisableResource(id, "broken fan"));
        assertThat(state(id)).isEqualTo("DISABLED {\"rack\": \"b\"}");
        send(new EnableResource(id));
        assertThat(state(id)).isEqualTo("ENROLLED {\"rack\": \"b\"}");
        send(new RetireResource(id));

        assertThat(state(id)).isEqualTo("RETIRED {\"rack\": \"b\"}");
        assertThat(events(id.toString()))
                .containsExactly(
                        "ResourceEnrolled",
                        "ResourceChanged",
                        "ResourceDisabled",
                        "ResourceEnabled",
                        "ResourceRetired");
        assertThat(send(new EnableResource(id)))
                .isEqualTo(new Rejected<>(new ResourceNotFound(id)));
    }

    @Test
    void a_rejected_command_leaves_no_event_and_no_change() {
        send(enrol(id, "host-" + id));
        database.claim(id, NIGHTLY, NOW, NOW.plusSeconds(3600), "gpu");

        assertThat(send(new ChangeResource(id, Map.of("gpu", "A100"), Set.of())))
                .isEqualTo(
                        new Rejected<>(
                                new PropertiesReliedOn(
                                        id, Set.of("gpu"), List.of(new LeaseId(NIGHTLY)))));
        assertThat(send(new RetireResource(id)))
                .isEqualTo(new Rejected<>(new ResourceReserved(id, List.of(new LeaseId(NIGHTLY)))));
        assertThat(events(id.toString())).containsExactly("ResourceEnrolled");
        assertThat(state(id)).isEqualTo("ENROLLED {\"gpu\": \"V100\"}");
    }

    @Test
    void an_unknown_resource_is_not_found() {
        assertThat(send(new RetireResource(id)))
                .isEqualTo(new Rejected<>(new ResourceNotFound(id)));
        assertThat(events(id.toString())).isEmpty();
    }

    @Test
    void a_name_is_enrolled_once_by_concurrent_commands() throws Exception {
        List<Outcome<ResourceRejection>> outcomes =
                atOnce(
                        IntStream.range(0, 8)
                                .<ResourceCommand>mapToObj(
                                        i -> enrol(commands.nextResourceId(), "wanted"))
                                .toList());

        assertThat(outcomes).filteredOn(Accepted.class::isInstance).hasSize(1);
        assertThat(outcomes)
                .filteredOn(Rejected.class::isInstance)
                .hasSize(7)
                .containsOnly(
                        new Rejected<>(new AlreadyEnrolled(ResourceKind.PHYSICAL_HOST, "wanted")));
    }

    @Test
    void concurrent_changes_from_several_nodes_all_take_effect() throws Exception {
        send(enrol(id, "host-" + id));

        List<Outcome<ResourceRejection>> outcomes =
                atOnce(
                        IntStream.range(0, 6)
                                .<ResourceCommand>mapToObj(
                                        i ->
                                                new ChangeResource(
                                                        id, Map.of("key-" + i, "x"), Set.of()))
                                .toList());

        assertThat(outcomes).allMatch(Accepted.class::isInstance);
        assertThat(state(id))
                .isEqualTo(
                        "ENROLLED {\"gpu\": \"V100\", "
                                + IntStream.range(0, 6)
                                        .mapToObj(i -> "\"key-" + i + "\": \"x\"")
                                        .collect(Collectors.joining(", "))
                                + "}");
        assertThat(events(id.toString())).hasSize(7);
    }

    @Test
    void the_visibility_of_a_property_is_stored_and_takes_effect() {
        for (boolean hidden : List.of(true, false, true)) {
            commands.send(
                    new PropertyVisibility(ResourceKind.PHYSICAL_HOST, "capabilities:ssd", hidden),
                    CommandContext.ofEngine(NOW, "req-1", null));
        }

        assertThat(events("physical:host/ssd"))
                .containsExactly("PropertyVisibility", "PropertyVisibility", "PropertyVisibility");
        assertThat(
                        database.jdbc
                                .sql("SELECT hidden FROM resource_property WHERE name = 'ssd'")
                                .query(Boolean.class)
                                .single())
                .isTrue();
    }

    private Outcome<ResourceRejection> send(ResourceCommand command) {
        return commands.send(command, CommandContext.ofEngine(NOW, "req-1", null));
    }

    /** Sends half of the commands through each node. */
    private List<Outcome<ResourceRejection>> atOnce(List<ResourceCommand> all) throws Exception {
        List<Outcome<ResourceRejection>> outcomes = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(all.size())) {
            List<Future<Outcome<ResourceRejection>>> running = new ArrayList<>();
            for (ResourceCommand command : all) {
                Commands door = running.size() % 2 == 0 ? commands : elsewhere;
                running.add(
                        threads.submit(
                                () ->
                                        door.send(
                                                command,
                                                CommandContext.ofEngine(NOW, "req-1", null))));
            }
            for (Future<Outcome<ResourceRejection>> outcome : running) {
                outcomes.add(outcome.get());
            }
        }
        return outcomes;
    }

    private static EnrolResource enrol(ResourceId id, String name) {
        return new EnrolResource(
                id,
                ResourceKind.PHYSICAL_HOST,
                name,
                null,
                "nova",
                Map.of("vcpus", 8),
                Map.of("gpu", "V100"));
    }

    private static String state(ResourceId id) {
        return database.jdbc
                .sql("SELECT state || ' ' || capabilities FROM resource WHERE resource_id = ?")
                .param(id.value())
                .query(String.class)
                .single();
    }

    private static List<String> events(String stream) {
        return database.jdbc
                .sql("SELECT event_type FROM domain_event WHERE stream_id = ? ORDER BY sequence")
                .param(stream)
                .query(String.class)
                .list();
    }
}
