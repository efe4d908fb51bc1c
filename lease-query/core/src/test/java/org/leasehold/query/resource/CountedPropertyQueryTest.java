package org.leasehold.query.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.UnknownMarker;
import org.leasehold.readmodel.resource.Resources;
import org.leasehold.readmodel.resource.Resources.CountedProperty;
import org.leasehold.readmodel.resource.Resources.ListProperties;
import org.leasehold.readmodel.resource.Resources.ValueCount;

import java.util.List;
import java.util.UUID;

class CountedPropertyQueryTest {

    private static final String HOST = "physical:host";
    private static final String DESK = "sample:desk";
    private static final UUID GPU = new UUID(1, 1);
    private static final UUID RACK = new UUID(1, 2);
    private static final UUID ROOM = new UUID(1, 3);

    private static InventoryTables tables;
    private static PostgresResources resources;

    @BeforeAll
    static void start() {
        tables = new InventoryTables();
        resources = new PostgresResources(tables.jdbc);
    }

    @AfterAll
    static void stop() {
        tables.close();
    }

    @BeforeEach
    void empty() {
        tables.empty();
    }

    @Test
    void a_value_counts_the_enrolled_resources_of_the_kind() {
        tables.resource(1, HOST, "a", "ENROLLED", "{\"gpu\": \"V100\"}");
        tables.resource(2, HOST, "b", "DISABLED", "{\"gpu\": \"V100\"}");
        tables.resource(3, HOST, "c", "RETIRED", "{\"gpu\": \"V100\"}");
        tables.resource(4, HOST, "d", "ENROLLED", "{\"gpu\": \"A100\"}");
        tables.resource(5, DESK, "e", "ENROLLED", "{\"gpu\": \"V100\"}");
        tables.property(GPU, HOST, "gpu", false);
        tables.property(RACK, HOST, "rack", false);

        List<CountedProperty> found = page(null, false, null, 10).items();

        assertThat(found).extracting(each -> each.property().name()).containsExactly("gpu", "rack");
        assertThat(found.getFirst().property().values()).containsExactly("A100", "V100");
        assertThat(found.getFirst().counts())
                .containsExactly(new ValueCount("A100", 1), new ValueCount("V100", 2));
        assertThat(found.getFirst().truncated()).isFalse();
        assertThat(found.getLast().counts()).isEmpty();
    }

    @Test
    void a_property_lists_no_more_values_than_the_limit() {
        int max = Resources.MAX_VALUES;
        tables.property(GPU, HOST, "gpu", false);
        for (int id = 1; id <= max; id++) {
            String value = "{\"gpu\": \"v" + (max + id) + "\"}";
            tables.resource(id, HOST, "h" + id, "ENROLLED", value);
        }
        assertThat(page(null, false, null, 10).items())
                .singleElement()
                .satisfies(full -> assertThat(full.counts()).hasSize(max))
                .satisfies(full -> assertThat(full.truncated()).isFalse());

        tables.resource(max + 1, HOST, "last", "ENROLLED", "{\"gpu\": \"v0\"}");

        assertThat(page(null, false, null, 10).items())
                .singleElement()
                .satisfies(cut -> assertThat(cut.truncated()).isTrue())
                .satisfies(cut -> assertThat(cut.counts()).hasSize(max))
                .satisfies(cut -> assertThat(cut.property().values()).hasSize(max))
                .satisfies(
                        cut ->
                                assertThat(cut.counts().getFirst())
                                        .isEqualTo(new ValueCount("v0", 1)));
    }

    @Test
    void properties_are_paged_in_the_order_of_names() {
        tables.resource(1, HOST, "a", "ENROLLED", "{\"gpu\": \"V100\", \"Room\": \"7\"}");
        tables.property(GPU, HOST, "gpu", false);
        tables.property(RACK, HOST, "rack", false);
        tables.property(ROOM, HOST, "Room", false);

        Page<CountedProperty> first = page(null, false, null, 2);
        Page<CountedProperty> second = page(null, false, first.next(), 2);

        assertThat(first.items())
                .extracting(p -> p.property().name())
                .containsExactly("Room", "gpu");
        assertThat(first.items().getLast().counts()).containsExactly(new ValueCount("V100", 1));
        assertThat(second.items()).extracting(p -> p.property().name()).containsExactly("rack");
        assertThat(second.next()).isNull();
    }

    @Test
    void a_hidden_property_is_neither_listed_nor_a_marker() {
        tables.resource(1, HOST, "a", "ENROLLED", "{\"gpu\": \"V100\"}");
        tables.property(GPU, HOST, "gpu", true);
        tables.property(RACK, HOST, "rack", false);

        assertThat(page(null, false, null, 10).items())
                .extracting(p -> p.property().name())
                .containsExactly("rack");
        assertThat(page(null, true, null, 10).items()).hasSize(2);
        assertThat(page(null, true, GPU.toString(), 10).items()).hasSize(1);
        for (String marker : List.of(GPU.toString(), new UUID(9, 9).toString(), "gpu")) {
            assertThatThrownBy(() -> page(null, false, marker, 10))
                    .isInstanceOf(UnknownMarker.class);
        }
    }

    @Test
    void a_property_is_found_by_name() {
        tables.resource(1, HOST, "a", "ENROLLED", "{\"gpu\": \"V100\"}");
        tables.property(GPU, HOST, "gpu", true);
        tables.property(RACK, HOST, "rack", false);

        assertThat(page("gpu", true, null, 1).items())
                .extracting(CountedProperty::counts)
                .containsExactly(List.of(new ValueCount("V100", 1)));
        assertThat(page("gp", true, null, 1).items()).isEmpty();
    }

    private static Page<CountedProperty> page(
            @Nullable String name, boolean hiddenToo, @Nullable String marker, int limit) {
        return resources.page(
                new ListProperties(ResourceKind.PHYSICAL_HOST, name, hiddenToo, marker, limit));
    }
}
