package org.leasehold.gateway.api.calendar;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.CommandContext;
import org.leasehold.gateway.api.FakeIdempotencyKeys;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.calendar.CalendarFeeds;
import org.leasehold.readmodel.subscription.SubscriptionOutcome;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Stores feeds, and returns the leases of a test. */
public final class FakeCalendarFeeds implements CalendarFeeds {

    final Map<String, CalendarFeed> byHash = new LinkedHashMap<>();

    /** The contexts of commands. */
    final List<CommandContext> by = new ArrayList<>();

    private final FakeIdempotencyKeys keys = new FakeIdempotencyKeys();

    List<PlannedLease> planned = List.of();
    long version;
    int asked;

    @Nullable Instant from;
    @Nullable Instant to;

    public synchronized void reset() {
        byHash.clear();
        by.clear();
        keys.forget();
        planned = List.of();
        asked = 0;
    }

    @Override
    public synchronized SubscriptionOutcome open(
            CalendarFeed feed, String hash, CommandContext context) {
        by.add(context);
        if (keys.isReused(context)) {
            return SubscriptionOutcome.KEY_REUSED;
        }
        byHash.values().removeIf(other -> other.id().equals(feed.id()));
        if (of(feed.project()).size() >= MAX_PER_PROJECT) {
            return SubscriptionOutcome.TOO_MANY;
        }
        byHash.put(hash, feed);
        return SubscriptionOutcome.MADE;
    }

    @Override
    public synchronized Page<CalendarFeed> list(
            ProjectId project, @Nullable String marker, int limit) {
        return Page.ofAll(of(project), feed -> feed.id().toString(), marker, limit);
    }

    private List<CalendarFeed> of(ProjectId project) {
        return byHash.values().stream().filter(feed -> feed.project().equals(project)).toList();
    }

    @Override
    public synchronized boolean close(
            UUID id, ProjectId project, @Nullable UserId user, CommandContext context) {
        by.add(context);
        return byHash.values()
                .removeIf(
                        feed ->
                                feed.id().equals(id)
                                        && feed.project().equals(project)
                                        && (user == null || user.equals(feed.user())));
    }

    @Override
    public synchronized Optional<CalendarFeed> find(String hash) {
        return Optional.ofNullable(byHash.get(hash));
    }

    @Override
    public long version(ProjectId project) {
        return version;
    }

    @Override
    public List<PlannedLease> planned(ProjectId project, Instant since, Instant until, int limit) {
        asked++;
        from = since;
        to = until;
        return planned.stream().limit(limit).toList();
    }
}
