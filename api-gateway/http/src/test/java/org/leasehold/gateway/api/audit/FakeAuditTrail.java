package org.leasehold.gateway.api.audit;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.RequestOrigin;
import org.leasehold.gateway.api.ApiTestServer;
import org.leasehold.gateway.api.export.LongResponseLimiter;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.audit.AuditTrail;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/**
 * Returns the events of a test for all queries, two events a page, and records queries. For user
 * {@code slow} it waits for the test, and for {@code broken} there is no second page.
 */
public final class FakeAuditTrail implements AuditTrail {

    /** A request with a known origin. */
    static final String REQUEST_WITH_ORIGIN = "req-" + new UUID(9, 9);

    private static final int PAGE = 2;

    final CountDownLatch begun = new CountDownLatch(LongResponseLimiter.MAX_CONCURRENT);
    final CountDownLatch goOn = new CountDownLatch(1);

    private final List<Entry> entries = new CopyOnWriteArrayList<>();
    private volatile @Nullable Search lastSearch;

    public FakeAuditTrail() {
        forget();
    }

    /** Forgets all but the first event. */
    void forget() {
        entries.clear();
        happened("Resource", "7", "ResourceEnabled", null, null, null, "{\"resourceId\": 7}");
    }

    /** Adds an event; the first one has the position 1. Its id follows from its position. */
    void happened(
            String streamType,
            String stream,
            String type,
            @Nullable String requestId,
            @Nullable Long causation,
            @Nullable String reason,
            String data) {
        long position = entries.size() + 1L;
        entries.add(
                new Entry(
                        position,
                        new UUID(0, position),
                        streamType.equals("Lease") ? "p1" : "-",
                        streamType,
                        stream,
                        0,
                        type,
                        causation == null ? "ada" : null,
                        causation == null ? "p2" : null,
                        causation == null ? List.of("member", "reader") : List.of(),
                        causation == null ? "basic" : "engine",
                        requestId,
                        REQUEST_WITH_ORIGIN.equals(requestId)
                                ? RequestOrigin.of("192.0.2.7", "=curl")
                                : null,
                        causation == null ? null : new UUID(0, causation).toString(),
                        reason,
                        ApiTestServer.NOW,
                        ApiTestServer.NOW.plusSeconds(position),
                        data));
    }

    @Nullable Search lastSearch() {
        return lastSearch;
    }

    @Override
    public Page<Entry> search(Search question) {
        lastSearch = question;
        if ("slow".equals(question.filter().user())) {
            begun.countDown();
            await();
        }
        String marker = question.marker();
        if (marker != null && "broken".equals(question.filter().user())) {
            throw new IllegalStateException("there is no second page");
        }
        int before =
                marker == null ? entries.size() + 1 : Page.parseMarker(marker, Integer::valueOf);
        List<Entry> found =
                entries.reversed().stream().filter(entry -> entry.position() < before).toList();
        return Page.of(
                found.stream().limit(Math.min(PAGE, question.limit()) + 1L).toList(),
                Math.min(PAGE, question.limit()),
                last -> Long.toString(last.position()));
    }

    private void await() {
        try {
            goOn.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Returns nothing for {@code nonsense}, and resources 7 and 8 or 9 for other names. */
    @Override
    public Set<ResourceId> findResourcesNamed(@Nullable ResourceKind kind, String name) {
        return name.equals("nonsense")
                ? Set.of()
                : Set.of(new ResourceId(7), new ResourceId(kind == null ? 9 : 8));
    }

    @Override
    public Optional<Entry> find(long position) {
        return entries.stream().filter(entry -> entry.position() == position).findFirst();
    }

    @Override
    public List<Entry> findCausedBy(String requestId, int limit) {
        return entries.stream()
                .filter(entry -> requestId.equals(entry.requestId()))
                .limit(limit)
                .toList();
    }
}
