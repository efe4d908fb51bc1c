package org.leasehold.command.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.axonframework.messaging.MetaData;
import org.axonframework.serialization.SerializationException;
import org.axonframework.serialization.SerializedObject;
import org.axonframework.serialization.SimpleSerializedObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.leasehold.inventory.OutageExtent;
import org.leasehold.inventory.PropertyVisibility;
import org.leasehold.inventory.ResourceEvent;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.ResourceMove;
import org.leasehold.lease.RetryPlan;
import org.leasehold.lease.StartFailurePolicy;
import org.leasehold.lease.UseObserved;
import org.leasehold.vocabulary.Share;
import org.leasehold.vocabulary.Tenure;

import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

class EventCatalogTest {

    private final EventCatalog catalog = new EventCatalog();
    private final JsonMapper json = EventJson.mapper();
    private final CatalogSerializer serializer = new CatalogSerializer(catalog, json);

    @Test
    void every_event_is_in_the_catalog() {
        assertThat(catalog.entries())
                .extracting(EventCatalog.Entry::type)
                .containsExactlyInAnyOrderElementsOf(
                        Stream.of(
                                        Stream.of(LeaseEvent.class.getPermittedSubclasses()),
                                        Stream.of(ResourceEvent.class.getPermittedSubclasses()),
                                        Stream.of(PropertyVisibility.class, UseObserved.class))
                                .<Class<?>>flatMap(types -> types)
                                .toList());
    }

    @Test
    void every_event_has_a_sample() {
        assertThat(EventSamples.events())
                .extracting(Object::getClass)
                .containsExactlyInAnyOrderElementsOf(
                        catalog.entries().stream()
                                .<Class<?>>map(EventCatalog.Entry::type)
                                .toList());
    }

    static List<Object> samples() {
        return EventSamples.events();
    }

    @ParameterizedTest
    @MethodSource("samples")
    void an_event_serializes_to_the_golden_file(Object event) {
        assertThat(json.writerWithDefaultPrettyPrinter().writeValueAsString(event))
                .isEqualTo(golden(event));
    }

    @ParameterizedTest
    @MethodSource("samples")
    void a_golden_file_deserializes_to_the_event(Object event) {
        EventCatalog.Entry entry = catalog.of(event.getClass());
        SerializedObject<String> stored =
                new SimpleSerializedObject<>(
                        golden(event),
                        String.class,
                        entry.name(),
                        Integer.toString(entry.version()));
        assertThat(serializer.<String, Object>deserialize(stored)).isEqualTo(event);
    }

    @Test
    void an_allocation_of_a_shared_resource_contains_the_share() {
        Allocation part =
                new Allocation(
                        new ResourceId(7),
                        "compute-7",
                        Map.of(),
                        new Share(3, Map.of("VCPU", 2L, "MEMORY_MB", 4096L)));
        String text =
                """
                {"resource":7,"name":"compute-7","properties":{},\
                "share":{"slots":3,"needs":{"MEMORY_MB":4096,"VCPU":2}}}\
                """;
        assertThat(json.writeValueAsString(part)).isEqualTo(text);
        assertThat(json.readValue(text, Allocation.class)).isEqualTo(part);
    }

    @Test
    void the_cloud_ids_of_a_reservation_are_serialized() {
        LeaseEvent event =
                new LeaseEvent.ReservationActivated(
                        EventSamples.LEASE,
                        EventSamples.RESERVATION,
                        Map.of("aggregate_id", 7, "server_group_id", "g-1"),
                        null);
        assertThat(json.readValue(json.writeValueAsString(event), event.getClass()))
                .isEqualTo(event);
    }

    @Test
    void the_policy_for_a_failed_start_is_serialized() {
        LeaseEvent.LeaseRequested event =
                new LeaseEvent.LeaseRequested(
                        EventSamples.LEASE,
                        EventSamples.PROJECT,
                        EventSamples.USER,
                        "gpu week",
                        EventSamples.PERIOD,
                        null,
                        List.of(),
                        StartFailurePolicy.RELEASE);
        String text = json.writeValueAsString(event);
        assertThat(text).endsWith("\"reservations\":[],\"onFailure\":\"RELEASE\"}");
        assertThat(json.readValue(text, event.getClass())).isEqualTo(event);
        LeaseEvent.LeaseRefused refused =
                new LeaseEvent.LeaseRefused(
                        EventSamples.LEASE,
                        EventSamples.PROJECT,
                        EventSamples.USER,
                        "gpu week",
                        EventSamples.PERIOD,
                        null,
                        List.of(),
                        List.of(),
                        1,
                        StartFailurePolicy.RELEASE);
        String refusal = json.writeValueAsString(refused);
        assertThat(refusal).endsWith("\"asOf\":1,\"onFailure\":\"RELEASE\"}");
        assertThat(json.readValue(refusal, refused.getClass())).isEqualTo(refused);
    }

    @Test
    void the_moves_of_an_adjustment_are_serialized() {
        LeaseEvent.ReservationAdjusting event =
                new LeaseEvent.ReservationAdjusting(
                        EventSamples.LEASE,
                        new Tenure(EventSamples.RESERVATION, 42),
                        List.of(),
                        List.of(),
                        List.of(new ResourceMove(new ResourceId(7), new ResourceId(8))));
        String text = json.writeValueAsString(event);
        assertThat(text).endsWith("\"leaving\":[],\"moves\":[{\"from\":7,\"to\":8}]}");
        assertThat(json.readValue(text, event.getClass())).isEqualTo(event);
    }

    @Test
    void the_order_of_reservations_is_serialized() {
        Tenure tenure = new Tenure(EventSamples.RESERVATION, 42);
        LeaseEvent starting =
                new LeaseEvent.LeaseStarting(
                        EventSamples.LEASE, List.of(tenure), List.of(EventSamples.RESERVATION));
        assertThat(json.writeValueAsString(starting))
                .endsWith("\"waiting\":[\"%s\"]}".formatted(EventSamples.RESERVATION));
        LeaseEvent activated =
                new LeaseEvent.ReservationActivated(
                        EventSamples.LEASE, EventSamples.RESERVATION, null, List.of(tenure));
        assertThat(json.writeValueAsString(activated))
                .endsWith(
                        "\"next\":[{\"reservation\":\"%s\",\"generation\":42}]}"
                                .formatted(EventSamples.RESERVATION));
        for (LeaseEvent event :
                List.of(
                        starting,
                        activated,
                        new LeaseEvent.ReservationAdjusted(
                                EventSamples.LEASE,
                                EventSamples.RESERVATION,
                                List.of(),
                                null,
                                List.of(tenure)))) {
            assertThat(json.readValue(json.writeValueAsString(event), event.getClass()))
                    .isEqualTo(event);
        }
    }

    @Test
    void the_extent_of_an_outage_is_serialized() {
        ResourceEvent event =
                new ResourceEvent.ResourceDisabled(
                        new ResourceId(7), "The cloud: it is down", List.of(), OutageExtent.DOWN);
        String text =
                """
                {"resourceId":7,"reason":"The cloud: it is down","affected":[],"extent":"DOWN"}\
                """;
        assertThat(json.writeValueAsString(event)).isEqualTo(text);
        assertThat(json.readValue(text, event.getClass())).isEqualTo(event);
    }

    @Test
    void the_plan_after_an_early_attempt_is_serialized() {
        RetryPlan plan =
                new RetryPlan(
                        1,
                        3,
                        Duration.ofMinutes(5),
                        Instant.parse("2030-01-01T09:05:00Z"),
                        Instant.parse("2030-01-01T10:01:00Z"),
                        2,
                        Instant.parse("2030-01-01T09:03:30Z"));
        String text =
                """
                {"attempt":1,"attemptsLeft":3,"interval":"PT5M",\
                "nextAttempt":"2030-01-01T09:05:00Z","until":"2030-01-01T10:01:00Z",\
                "earlyAttempts":2,"earlyFrom":"2030-01-01T09:03:30Z"}\
                """;
        assertThat(json.writeValueAsString(plan)).isEqualTo(text);
        assertThat(json.readValue(text, RetryPlan.class)).isEqualTo(plan);
    }

    private String golden(Object event) {
        EventCatalog.Entry entry = catalog.of(event.getClass());
        String name = "/events/" + entry.name() + ".v" + entry.version() + ".json";
        try (InputStream file = getClass().getResourceAsStream(name)) {
            assertThat(file)
                    .withFailMessage(
                            "%s is missing; if the event is new, it is to hold%n%s",
                            name, json.writerWithDefaultPrettyPrinter().writeValueAsString(event))
                    .isNotNull();
            return new String(file.readAllBytes(), StandardCharsets.UTF_8).stripTrailing();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void missing_fields_become_null_and_unknown_fields_are_ignored() {
        SerializedObject<String> stored =
                new SimpleSerializedObject<>(
                        """
                        {"leaseId": "6f1c1b5e-7d1e-4e0a-9c55-0c6d2f0b1a01", "colour": "red",
                         "period": {"start": "2030-01-01T10:00:00Z", "end": "2030-01-01T12:30:00.123456Z"}}
                        """,
                        String.class,
                        "LeaseRescheduled",
                        "1");
        assertThat(serializer.<String, Object>deserialize(stored))
                .isEqualTo(
                        new LeaseEvent.LeaseRescheduled(
                                EventSamples.LEASE, EventSamples.PERIOD, null));
    }

    @Test
    void an_unknown_event_version_is_an_error() {
        SerializedObject<String> stored =
                new SimpleSerializedObject<>("{}", String.class, "LeaseRequested", "2");
        assertThatThrownBy(() -> serializer.deserialize(stored))
                .isInstanceOf(SerializationException.class)
                .hasMessageContaining("LeaseRequested version 2");
    }

    @Test
    void metadata_is_a_plain_object() {
        MetaData metadata =
                MetaData.from(Map.of("user", "u", "roles", List.of("member", "reader")));
        SerializedObject<String> stored = serializer.serialize(metadata, String.class);
        assertThat(json.readTree(stored.getData()))
                .isEqualTo(json.readTree("{\"user\":\"u\",\"roles\":[\"member\",\"reader\"]}"));
        assertThat(serializer.<String, MetaData>deserialize(stored)).isEqualTo(metadata);
    }

    @Test
    void a_serialized_command_contains_the_type() {
        var command = new LeaseCommand.StartLease(EventSamples.LEASE);
        String text = json.writerFor(LeaseCommand.class).writeValueAsString(command);
        assertThat(json.readTree(text).get("type").asString()).isEqualTo("StartLease");
        assertThat(json.readValue(text, LeaseCommand.class)).isEqualTo(command);
    }
}
