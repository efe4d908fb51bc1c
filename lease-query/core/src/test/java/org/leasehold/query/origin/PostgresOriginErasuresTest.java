package org.leasehold.query.origin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.leasehold.query.projection.EventDatabase;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.UnknownMarker;
import org.leasehold.readmodel.audit.OriginErasures.OriginErasure;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;

import java.time.Instant;

class PostgresOriginErasuresTest {

    @Test
    void erasures_are_listed_newest_first_with_user_and_reason() {
        try (EventDatabase database = new EventDatabase()) {
            database.jdbc()
                    .execute(
                            """
                            INSERT INTO origin_erasure (of_user, before, erased, metadata,
                                recorded_at)
                            VALUES ('eve', NULL, 3, '{"user": "root", "project": "ops",
                                    "requestId": "req-1", "reason": "she asked"}',
                                    '2026-11-20T10:00:00Z'),
                                (NULL, '2026-11-01T00:00:00Z', 0, '{"user": "root",
                                    "project": "ops", "requestId": "req-2"}',
                                    '2026-11-20T11:00:00Z')
                            """);
            PostgresOriginErasures erasures = new PostgresOriginErasures(database.client());

            Page<OriginErasure> first = erasures.list(null, 1);

            assertThat(first.items())
                    .containsExactly(
                            new OriginErasure(
                                    Instant.parse("2026-11-20T11:00:00Z"),
                                    new UserId("root"),
                                    new ProjectId("ops"),
                                    "req-2",
                                    null,
                                    null,
                                    Instant.parse("2026-11-01T00:00:00Z"),
                                    0));
            Page<OriginErasure> last = erasures.list(first.next(), 1);
            assertThat(last.items())
                    .containsExactly(
                            new OriginErasure(
                                    Instant.parse("2026-11-20T10:00:00Z"),
                                    new UserId("root"),
                                    new ProjectId("ops"),
                                    "req-1",
                                    "she asked",
                                    "eve",
                                    null,
                                    3));
            assertThat(last.next()).isNull();
            assertThatThrownBy(() -> erasures.list("x", 1)).isInstanceOf(UnknownMarker.class);
        }
    }
}
