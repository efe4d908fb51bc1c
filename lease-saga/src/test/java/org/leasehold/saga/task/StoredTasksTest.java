package org.leasehold.saga.task;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Action;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.Fault;
import org.leasehold.lease.ResourceMove;
import org.leasehold.readmodel.operation.StuckActionQuery.Change;
import org.leasehold.saga.fakes.Samples;
import org.leasehold.saga.scheduler.StoredJson;
import org.leasehold.vocabulary.Share;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

class StoredTasksTest {

    private static final StoredJson JSON = new StoredJson(PluginTask.class);

    private static final String CAUSE =
            """
            "cause":{"event":"event-1","requestId":"req-1","at":"2030-01-01T12:00:00Z"}}\
            """;

    private static final String LEASE =
            """
            "lease":{"value":"00000000-0000-0000-0000-000000000001"}\
            """;

    private static final String RESERVATION =
            """
            "reservation":{"value":"00000000-0000-0001-0000-00000000000b"}\
            """;

    private static final String TENURE = "\"tenure\":{" + RESERVATION + ",\"generation\":5}";

    private static final String HOST =
            """
            "resource":{"value":7},"kind":{"value":"physical:host"},"name":"compute-7"\
            """;

    private static final Allocation SHARED =
            new Allocation(
                    new ResourceId(7),
                    "compute-7",
                    Map.of("gpu", "V100"),
                    new Share(3, Map.of("VCPU", 2L)));

    private record Stored(String text, PluginTask task) {}

    static List<Stored> stored() {
        ResourceId host = new ResourceId(7);
        ResourceKind kind = ResourceKind.PHYSICAL_HOST;
        return List.of(
                new Stored(
                        "{\"task\":{\"type\":\"Prepare\"," + LEASE + "," + RESERVATION + "},",
                        new PluginTask.Prepare(Samples.LEASE, Samples.RESERVATION)),
                new Stored(
                        "{\"task\":{\"type\":\"Start\"," + LEASE + "," + TENURE + "},",
                        new PluginTask.Start(Samples.LEASE, Samples.TENURE)),
                new Stored(
                        "{\"task\":{\"type\":\"Adjust\","
                                + LEASE
                                + ","
                                + TENURE
                                + """
                                ,"leaving":[{"resource":{"value":7},"name":"compute-7",\
                                "properties":{"gpu":"V100"},\
                                "share":{"slots":3,"needs":{"VCPU":2}}}]},\
                                """,
                        new PluginTask.Adjust(Samples.LEASE, Samples.TENURE, List.of(SHARED))),
                new Stored(
                        "{\"task\":{\"type\":\"Adjust\","
                                + LEASE
                                + ","
                                + TENURE
                                + """
                                ,"leaving":[],\
                                "moves":[{"from":{"value":7},"to":{"value":8}}]},\
                                """,
                        new PluginTask.Adjust(
                                Samples.LEASE,
                                Samples.TENURE,
                                List.of(),
                                List.of(new ResourceMove(host, new ResourceId(8))))),
                new Stored(
                        "{\"task\":{\"type\":\"BeforeEnd\"," + LEASE + "," + RESERVATION + "},",
                        new PluginTask.BeforeEnd(Samples.LEASE, Samples.RESERVATION)),
                new Stored(
                        "{\"task\":{\"type\":\"End\"," + LEASE + "," + TENURE + "},",
                        new PluginTask.End(Samples.LEASE, Samples.TENURE)),
                new Stored(
                        "{\"task\":{\"type\":\"Enrol\"," + HOST + "},",
                        new PluginTask.Enrol(host, kind, "compute-7")),
                new Stored(
                        "{\"task\":{\"type\":\"Retire\"," + HOST + "},",
                        new PluginTask.Retire(host, kind, "compute-7")));
    }

    @ParameterizedTest
    @MethodSource("stored")
    void a_task_is_stored_with_fixed_names(Stored stored) {
        SubmittedTask submitted = new SubmittedTask(stored.task(), Samples.CAUSE);
        String text = stored.text() + CAUSE;

        assertThat(new String(JSON.serialize(submitted), UTF_8)).isEqualTo(text);
        assertThat(JSON.deserialize(SubmittedTask.class, text.getBytes(UTF_8)))
                .isEqualTo(submitted);
    }

    @Test
    void every_task_type_is_covered_by_a_sample() {
        assertThat(stored().stream().map(each -> each.task().getClass().getName()).distinct())
                .containsExactlyInAnyOrderElementsOf(
                        leaves(PluginTask.class).stream().map(Class::getName).toList());
    }

    @Test
    void the_columns_of_tasks_and_calls_have_fixed_constants() {
        assertThat(stored().stream().map(each -> each.task().verb()).distinct())
                .containsExactly(
                        "PREPARE", "START", "ADJUST", "BEFORE_END", "END", "ENROL", "RETIRE");
        assertThat(words(Action.values())).isEqualTo("PREPARE START ADJUST BEFORE_END END");
        assertThat(words(Change.values())).isEqualTo("ENROL RETIRE");
        assertThat(words(Fault.Kind.values()))
                .isEqualTo("RETRYABLE UNDERWAY INSUFFICIENT_RESOURCES DENIED PERMANENT");
    }

    private static String words(Enum<?>... constants) {
        return String.join(" ", Stream.of(constants).map(Enum::name).toList());
    }

    private static List<Class<?>> leaves(Class<?> type) {
        List<Class<?>> leaves = new ArrayList<>();
        for (Class<?> each : type.getPermittedSubclasses()) {
            leaves.addAll(each.isSealed() ? leaves(each) : List.of(each));
        }
        return leaves;
    }
}
