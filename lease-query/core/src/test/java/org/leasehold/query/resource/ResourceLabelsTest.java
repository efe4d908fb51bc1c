package org.leasehold.query.resource;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceId;
import org.leasehold.query.label.PostgresLabels;
import org.leasehold.readmodel.label.Labels.ResourceLabel;

import java.io.IOException;
import java.util.Map;
import java.util.Set;

class ResourceLabelsTest {

    private static InventoryTables tables;

    @BeforeAll
    static void start() {
        tables = new InventoryTables();
    }

    @AfterAll
    static void stop() throws IOException {
        tables.close();
    }

    @Test
    void a_retired_resource_has_a_label() {
        tables.empty();
        tables.resource(7, "physical:host", "compute-7", "RETIRED", "{}");
        tables.resource(8, "physical:host", "compute-8", "ENROLLED", "{}");
        tables.jdbc.sql("UPDATE resource SET zone = 'east' WHERE resource_id = 7").update();
        tables.jdbc.sql("UPDATE resource SET zone = NULL WHERE resource_id = 8").update();

        assertThat(
                        new PostgresLabels(tables.jdbc)
                                .resources(
                                        Set.of(
                                                new ResourceId(7),
                                                new ResourceId(8),
                                                new ResourceId(9))))
                .containsOnly(
                        Map.entry(new ResourceId(7), new ResourceLabel("compute-7", "east")),
                        Map.entry(new ResourceId(8), new ResourceLabel("compute-8", null)));
    }
}
