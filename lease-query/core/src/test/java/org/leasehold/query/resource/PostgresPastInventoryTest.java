package org.leasehold.query.resource;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.stream.Collectors.joining;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.leasehold.inventory.PropertyVisibility;
import org.leasehold.inventory.ResourceEvent;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.query.lease.EventJson;
import org.leasehold.query.projection.EventDatabase;
import org.leasehold.readmodel.resource.PastInventory.Visibility;
import org.leasehold.readmodel.resource.ResourceView;

import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;

class PostgresPastInventoryTest {

    private static final ResourceId SEVEN = new ResourceId(7);
    private static final ResourceKind HOST = ResourceKind.PHYSICAL_HOST;
    private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

    private static EventDatabase database;
    private static PostgresPastInventory inventory;

    /** The events of another resource are between those of the requested one. */
    @BeforeAll
    static void happen() {
        database = new EventDatabase(PostgresPastInventoryTest::decode);
        inventory = new PostgresPastInventory(database.jdbc(), database);
        enrolled(7, "compute-7", "{\"gpu\": \"K80\", \"rack\": \"a\"}");
        enrolled(8, "compute-8", "{\"gpu\": \"P100\"}");
        happened(7, "ResourceChanged", "\"set\": {\"gpu\": \"V100\"}, \"removed\": [\"rack\"]");
        happened(8, "ResourceChanged", "\"set\": {\"gpu\": \"A100\"}, \"removed\": []");
        happened(7, "ResourceDisabled", "\"reason\": \"on fire\", \"affected\": []");
        happened(
                7,
                "ResourceDescribed",
                "\"zone\": \"az1\", \"attributes\": {\"vcpus\": 16}, \"affected\": []");
        happened(7, "ResourceEnabled");
        happened(7, "ResourceRetired");
        visible("gpu", true);
        visible("rack", true);
        visible("gpu", false);
    }

    @AfterAll
    static void stop() {
        database.close();
    }

    @Test
    void a_past_resource_reflects_the_events_up_to_a_position() {
        assertThat(inventory.resource(SEVEN, 0)).isEmpty();
        assertThat(at(1))
                .isEqualTo(
                        new ResourceView(
                                SEVEN,
                                HOST,
                                "compute-7",
                                "RegionOne",
                                null,
                                true,
                                null,
                                Map.of("vcpus", 8),
                                Map.of("gpu", "K80", "rack", "a"),
                                NOON.plusSeconds(1),
                                null));
        assertThat(at(2)).isEqualTo(at(1));
        assertThat(at(3).capabilities()).isEqualTo(Map.of("gpu", "V100"));
        assertThat(at(3).updatedAt()).isEqualTo(NOON.plusSeconds(3));
        assertThat(at(4)).isEqualTo(at(3));
        assertThat(at(4).reservable()).isTrue();
        assertThat(at(5).reservable()).isFalse();
        assertThat(at(5).disabledReason()).isEqualTo("on fire");
        assertThat(at(6).zone()).isEqualTo("az1");
        assertThat(at(6).attributes()).isEqualTo(Map.of("vcpus", 16));
        assertThat(at(7).reservable()).isTrue();
        assertThat(at(7).disabledReason()).isNull();
    }

    @Test
    void a_retired_resource_is_not_found() {
        assertThat(inventory.resource(SEVEN, 8)).isEmpty();
        assertThat(inventory.resource(SEVEN, 99)).isEmpty();
    }

    @Test
    void the_visibility_of_a_property_follows_the_visibility_events() {
        assertThat(inventory.visibility(HOST, "gpu", 8)).isEqualTo(new Visibility(false, null));
        assertThat(inventory.visibility(HOST, "gpu", 10))
                .isEqualTo(new Visibility(true, NOON.plusSeconds(9)));
        assertThat(inventory.visibility(HOST, "gpu", 11))
                .isEqualTo(new Visibility(false, NOON.plusSeconds(11)));
        assertThat(inventory.visibility(new ResourceKind("sample:desk"), "gpu", 10).hidden())
                .isFalse();
    }

    private static ResourceView at(long position) {
        return inventory.resource(SEVEN, position).orElseThrow();
    }

    private static void enrolled(long id, String name, String capabilities) {
        happened(
                id,
                "ResourceEnrolled",
                """
                "kind": "physical:host", "name": "%s", "region": "RegionOne",
                "attributes": {"vcpus": 8}, "capabilities": %s
                """
                        .formatted(name, capabilities));
    }

    private static void happened(long id, String type, String... fields) {
        append(
                "Resource",
                Long.toString(id),
                type,
                "{\"resourceId\": %s%s}"
                        .formatted(
                                id,
                                Arrays.stream(fields)
                                        .map(field -> ", " + field)
                                        .collect(joining())));
    }

    private static void visible(String property, boolean hidden) {
        append(
                "Property",
                HOST + "/" + property,
                "PropertyVisibility",
                "{\"kind\": \"%s\", \"property\": \"%s\", \"hidden\": %s}"
                        .formatted(HOST, property, hidden));
    }

    /** Appends one event per second, by its position. */
    private static void append(String streamType, String stream, String type, String payload) {
        Instant decided = NOON.plusSeconds(database.head() + 1);
        database.append(streamType, stream, type, payload, "{}", decided);
    }

    private static Object decode(String type, String payload) {
        Class<?> event =
                Stream.concat(
                                Stream.of(PropertyVisibility.class),
                                Arrays.stream(ResourceEvent.class.getPermittedSubclasses()))
                        .filter(each -> each.getSimpleName().equals(type))
                        .findFirst()
                        .orElseThrow();
        return EventJson.mapper().readValue(payload, event);
    }
}
