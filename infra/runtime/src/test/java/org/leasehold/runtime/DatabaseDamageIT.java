package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.leasehold.runtime.verify.VerificationDifference;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** Tests that every difference of a table from the events is reported and located. */
class DatabaseDamageIT extends VerifyFixture {

    List<TableDamage> mischief() {
        return TableDamage.of(running, waiting, over);
    }

    @ParameterizedTest
    @MethodSource
    void mischief(TableDamage mischief) throws SQLException {
        sql("CREATE TABLE saved AS TABLE " + mischief.table());
        try {
            sql(mischief.sql());
            assertThat(product.verify())
                    .extracting(VerificationDifference::toString)
                    .anyMatch(line -> line.contains(mischief.violation()))
                    .allMatch(line -> !line.contains("\n"));
        } finally {
            sql(restoring(mischief.table()));
            sql("DROP TABLE saved");
        }
        assertThat(product.verify()).isEmpty();
    }

    /** Returns the statements that restore a table; generated columns accept no values. */
    private static String restoring(String table) {
        return """
        DELETE FROM %1$s;
        DO $$ BEGIN EXECUTE (
            SELECT format('INSERT INTO %1$s (%%1$s) OVERRIDING SYSTEM VALUE SELECT %%1$s FROM saved',
                string_agg(quote_ident(attname), ', '))
            FROM pg_attribute
            WHERE attrelid = '%1$s'::regclass AND attnum > 0 AND NOT attisdropped
              AND attgenerated = ''); END $$
        """
                .formatted(table);
    }

    @Test
    void a_changed_resource_is_reported() throws SQLException {
        sql("UPDATE resource SET state = 'DISABLED' WHERE resource_id = 4");
        try {
            assertThat(product.verify())
                    .extracting(VerificationDifference::toString)
                    .containsExactly(
                            "resource: resource 4 state: expected ENROLLED, found DISABLED");
        } finally {
            sql("UPDATE resource SET state = 'ENROLLED' WHERE resource_id = 4");
        }
    }

    @Test
    void a_double_booking_is_reported() throws SQLException {
        sql("ALTER TABLE claim DROP CONSTRAINT claim_is_exclusive");
        sql(
                "INSERT INTO claim SELECT resource_id, within, during, gen_random_uuid(),"
                        + " gen_random_uuid(), gen_random_uuid(), project_id, cleaning, relies_on"
                        + " FROM claim WHERE lease_id = '"
                        + running.id()
                        + "'");
        try {
            assertThat(product.verify())
                    .extracting(VerificationDifference::toString)
                    .anyMatch(
                            line ->
                                    line.startsWith(
                                            "claim: resource 1: expected promised to one at a"
                                                    + " time"));
        } finally {
            sql(
                    "DELETE FROM claim WHERE reservation_id NOT IN (SELECT occupancy FROM claim"
                            + " WHERE lease_id IN (SELECT lease_id FROM lease))");
            sql(
                    """
                    ALTER TABLE claim ADD CONSTRAINT claim_is_exclusive EXCLUDE USING gist
                        (resource_id WITH =, within WITH =, during WITH &&, occupancy WITH <>)
                    """);
        }
    }

    @Test
    void a_rebuild_repairs_damaged_read_models() throws SQLException {
        sql(
                "UPDATE lease SET status = 'ENDED', view = '{}'; UPDATE resource SET zone = 'x';"
                        + " UPDATE resource_property SET hidden = NOT hidden;"
                        + " DELETE FROM event_entry WHERE number % 2 = 0;"
                        + " DELETE FROM event_resource; DELETE FROM booking WHERE slots = 1;"
                        + " DELETE FROM audit_subject WHERE sort = 'kind'");
        assertThat(product.verify())
                .extracting(VerificationDifference::table)
                .contains(
                        "lease",
                        "resource",
                        "resource_property",
                        "event_entry",
                        "event_resource",
                        "booking",
                        "audit_subject");

        Client admin = product.as("admin");
        admin.post("/api/operations/read-models/rebuild", Map.of()).expect(202);
        Await.until(
                () -> admin.get("/api/operations/read-models").toString(),
                () ->
                        admin.get("/api/operations/read-models")
                                .expect(200)
                                .path("read_models")
                                .valueStream()
                                .allMatch(r -> r.path("state").asString().equals("rebuilt")));

        assertThat(product.verify()).isEmpty();
    }
}
