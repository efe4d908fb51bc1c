package org.leasehold.query.resource;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.SortDirection;
import org.leasehold.readmodel.resource.ResourceView;
import org.leasehold.readmodel.resource.Resources.ListAllocations;
import org.leasehold.readmodel.resource.Resources.ListResources;
import org.leasehold.readmodel.resource.Resources.Part;
import org.leasehold.readmodel.resource.Resources.ResourceCalendar;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Tests the queries and lists of resources. */
class PostgresResourcesTest extends PostgresResourcesFixture {

    @Test
    void a_resource_is_found_with_all_attributes_and_properties() {
        tables.resource(7, HOST, "compute-7", "ENROLLED", "{\"gpu\": \"V100\"}");
        Map<String, Object> attributes = new LinkedHashMap<>();
        attributes.put("big", 5_000_000_000L);
        attributes.put("load", new BigDecimal("0.5"));
        attributes.put("vcpus", 8);
        attributes.put("cpu_info", null);

        assertThat(resources.find(new ResourceId(7)))
                .contains(
                        new ResourceView(
                                new ResourceId(7),
                                ResourceKind.PHYSICAL_HOST,
                                "compute-7",
                                null,
                                "nova",
                                true,
                                null,
                                attributes,
                                Map.of("gpu", "V100"),
                                Instant.parse("2026-11-21T00:33:09.123456Z"),
                                null));
    }

    @Test
    void a_disabled_resource_is_not_reservable_and_shows_the_reason() {
        tables.resource(7, HOST, "compute-7", "DISABLED", "{}");

        ResourceView view = resources.find(new ResourceId(7)).orElseThrow();

        assertThat(view.reservable()).isFalse();
        assertThat(view.disabledReason()).isEqualTo("broken fan");
        assertThat(view.updatedAt()).isEqualTo(Instant.parse("2026-11-22T00:00:00Z"));
    }

    @Test
    void a_retired_resource_is_omitted_from_every_query() {
        tables.resource(7, HOST, "compute-7", "RETIRED", "{\"gpu\": \"V100\"}");
        tables.property(FIRST, HOST, "gpu", false);

        assertThat(resources.find(new ResourceId(7))).isEmpty();
        assertThat(resources.find(new ResourceId(8))).isEmpty();
        assertThat(resources.list(null)).isEmpty();
        assertThat(allocations(null, null, null)).isEmpty();
        assertThat(resources.properties(ResourceKind.PHYSICAL_HOST))
                .singleElement()
                .satisfies(property -> assertThat(property.values()).isEmpty());
    }

    @Test
    void resources_are_listed_in_order_of_id_and_filtered_by_kind() {
        tables.resource(10, HOST, "a", "ENROLLED", "{}");
        tables.resource(9, HOST, "b", "DISABLED", "{}");
        tables.resource(11, DESK, "c", "ENROLLED", "{}");

        assertThat(resources.list(null))
                .extracting(ResourceView::name)
                .containsExactly("b", "a", "c");
        assertThat(resources.list(ResourceKind.PHYSICAL_HOST))
                .extracting(ResourceView::name)
                .containsExactly("b", "a");
        assertThat(resources.list(new ResourceKind(DESK)))
                .extracting(ResourceView::name)
                .containsExactly("c");
        assertThat(resources.list(new ResourceKind("unknown"))).isEmpty();
    }

    @Test
    void resources_and_calendars_are_paged_in_both_directions() {
        for (int id = 1; id <= 5; id++) {
            tables.resource(id, HOST, "compute-" + id, "ENROLLED", "{}");
        }
        tables.resource(6, DESK, "desk-6", "ENROLLED", "{}");
        assertThat(parts(SortDirection.ASCENDING))
                .containsExactly(List.of(1L, 2L), List.of(3L, 4L), List.of(5L));
        assertThat(parts(SortDirection.DESCENDING))
                .containsExactly(List.of(5L, 4L), List.of(3L, 2L), List.of(1L));
    }

    /** Returns the parts of resources; it also checks that the calendars come in the same parts. */
    private List<List<Long>> parts(SortDirection direction) {
        List<List<Long>> parts = new ArrayList<>();
        ResourceId after = null;
        do {
            Part part = new Part(direction, after, 2);
            var page = resources.page(new ListResources(ResourceKind.PHYSICAL_HOST, null, part));
            var calendars =
                    resources.page(
                            new ListAllocations(
                                    ResourceKind.PHYSICAL_HOST, null, null, Instant.EPOCH, part));
            assertThat(calendars.next()).isEqualTo(page.next());
            assertThat(calendars.items())
                    .extracting(ResourceCalendar::resource)
                    .isEqualTo(page.items().stream().map(ResourceView::id).toList());
            parts.add(page.items().stream().map(resource -> resource.id().value()).toList());
            after = page.next() == null ? null : new ResourceId(Long.parseLong(page.next()));
        } while (after != null);
        return parts;
    }

    @Test
    void a_page_has_resources_of_all_kinds_by_id() {
        tables.resource(3, HOST, "a", "ENROLLED", "{}");
        tables.resource(1, DESK, "b", "ENROLLED", "{}");
        tables.resource(2, HOST, "c", "RETIRED", "{}");
        tables.resource(4, DESK, "d", "ENROLLED", "{}");

        var first = resources.page(new ListResources(null, null, after(null, 2)));
        var second = resources.page(new ListResources(null, null, after(first.next(), 2)));

        assertThat(first.items()).extracting(ResourceView::name).containsExactly("b", "a");
        assertThat(second.items()).extracting(ResourceView::name).containsExactly("d");
        assertThat(second.next()).isNull();
    }

    @Test
    void a_page_is_read_from_an_index() {
        tables.manyResources(HOST, 30_000);
        tables.manyResources(DESK, 300);

        for (ResourceKind kind : new ResourceKind[] {null, new ResourceKind(DESK)}) {
            var question = new ListResources(kind, null, after("4000", 100));
            String plan =
                    String.join(
                            "\n",
                            tables.jdbc
                                    .sql("EXPLAIN " + PostgresResources.pageStatement(question))
                                    .param("kind", DESK)
                                    .param("after", 4000)
                                    .param("limit", 100)
                                    .query(String.class)
                                    .list());
            assertThat(plan)
                    .contains(kind == null ? "resource_pkey" : "resource_of_kind")
                    .doesNotContain("Seq Scan", "Sort");
        }
    }

    private static Part after(String marker, int limit) {
        return new Part(
                SortDirection.ASCENDING,
                marker == null ? null : new ResourceId(Long.parseLong(marker)),
                limit);
    }

    @Test
    void a_list_filters_resources_by_name() {
        tables.resource(7, HOST, "compute-7", "ENROLLED", "{}");
        tables.resource(8, HOST, "compute-8", "ENROLLED", "{}");
        Part all = new Part(SortDirection.ASCENDING, null, null);
        assertThat(
                        resources
                                .page(
                                        new ListResources(
                                                ResourceKind.PHYSICAL_HOST, "compute-8", all))
                                .items())
                .extracting(ResourceView::id)
                .containsExactly(new ResourceId(8));
    }

    @Test
    void a_property_lists_each_value_once_in_order() {
        tables.resource(7, HOST, "a", "ENROLLED", "{\"gpu\": \"V100\", \"rack\": \"1\"}");
        tables.resource(8, HOST, "b", "DISABLED", "{\"gpu\": \"A100\"}");
        tables.resource(9, HOST, "c", "ENROLLED", "{\"gpu\": \"V100\"}");
        tables.resource(10, DESK, "d", "ENROLLED", "{\"gpu\": \"none\", \"colour\": \"red\"}");
        tables.property(FIRST, HOST, "gpu", false);
        tables.property(SECOND, HOST, "Rack", true);
        tables.property(THIRD, DESK, "colour", false);

        assertThat(resources.properties(ResourceKind.PHYSICAL_HOST))
                .containsExactly(
                        property(SECOND, "Rack", true, List.of()),
                        property(FIRST, "gpu", false, List.of("A100", "V100")));
    }
}
