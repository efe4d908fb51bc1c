package org.leasehold.publishing.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.jspecify.annotations.Nullable;
import org.leasehold.publishing.DocumentsFixture;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.lease.HistoryEntry;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A read model of leases that has only the number of events and the last event of each. */
final class FakeLeases implements Leases {

    private final JdbcClient jdbc;

    FakeLeases(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    @Override
    public Optional<LeaseView> find(LeaseId id, @Nullable ProjectId project, long asOf) {
        return jdbc.sql(
                        """
                        SELECT sequence, event_type FROM domain_event
                        WHERE stream_id = ? AND position <= ? ORDER BY sequence DESC LIMIT 1
                        """)
                .params(id.toString(), asOf)
                .query((row, _) -> view(id, row.getLong(1), row.getString(2)))
                .optional()
                .filter(lease -> !lease.name().matches("LeaseDeleted|LeaseRefused"));
    }

    /** Returns the document of a lease with so many events, the last of which is of a type. */
    static String document(String id, int events, String type) {
        return document(view(LeaseId.of(id), events - 1L, type));
    }

    static String document(LeaseView lease) {
        return new String(DocumentsFixture.operatorLeases().serialize(lease), UTF_8);
    }

    private static LeaseView view(LeaseId id, long sequence, String type) {
        Instant noon = Instant.parse("2030-01-01T12:00:00Z");
        return new LeaseView(
                id,
                new ProjectId("p1"),
                new UserId("u1"),
                type,
                LeaseStatus.PENDING,
                new LeasePeriod(noon, noon.plusSeconds(60)),
                null,
                null,
                List.of(),
                List.of(),
                noon,
                null,
                sequence + 1,
                null,
                null);
    }

    @Override
    public Optional<LeaseView> find(LeaseId id, @Nullable ProjectId project) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Page<LeaseView> list(ListLeases question) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Page<LeaseView> list(ListLeases question, long asOf) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<HistoryEntry> history(LeaseId id, @Nullable ProjectId project) {
        throw new UnsupportedOperationException();
    }
}
