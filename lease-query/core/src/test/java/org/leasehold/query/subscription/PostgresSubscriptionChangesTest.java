package org.leasehold.query.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.command.RequestOrigin;
import org.leasehold.query.projection.EventDatabase;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.UnknownMarker;
import org.leasehold.readmodel.subscription.SubscriptionChanges;
import org.leasehold.readmodel.subscription.SubscriptionChanges.Action;
import org.leasehold.readmodel.subscription.SubscriptionChanges.Done;
import org.leasehold.readmodel.subscription.SubscriptionChanges.Kind;
import org.leasehold.readmodel.subscription.SubscriptionChanges.ListChanges;
import org.leasehold.readmodel.subscription.SubscriptionChanges.SubscriptionChange;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;

import java.util.List;
import java.util.Map;
import java.util.UUID;

class PostgresSubscriptionChangesTest {

    private static final UUID HOOK = new UUID(3, 1);
    private static final UUID FEED = new UUID(3, 2);

    private static final Done MADE =
            new Done(
                    Kind.WEBHOOK,
                    HOOK,
                    new ProjectId("astronomy"),
                    Action.MADE,
                    null,
                    Map.of("types", List.of("LeaseEnded"), "enabled", true));

    private static final Done ENDED =
            new Done(
                    Kind.CALENDAR_FEED,
                    FEED,
                    new ProjectId("biology"),
                    Action.REMOVED,
                    Map.of("user", "ada"),
                    null);

    private static EventDatabase database;

    private final SubscriptionChangeRecorder trail =
            new SubscriptionChangeRecorder(database.client());
    private final SubscriptionChanges changes = new PostgresSubscriptionChanges(database.client());

    @BeforeAll
    static void open() {
        database = new EventDatabase();
    }

    @AfterAll
    static void close() {
        database.close();
    }

    @BeforeEach
    void begin() {
        new RecordedSubscriptionChanges(database).forget();
        trail.recordChange(MADE, RecordedSubscriptionChanges.by("req-1", "billing asked"));
        trail.recordChange(ENDED, RecordedSubscriptionChanges.by("req-2"));
        // As the engine does, which has no user and no request.
        database.jdbc()
                .update(
                        """
                        INSERT INTO subscription_change (kind, subscription_id, project_id, action,
                            before, after, roles, authentication)
                        VALUES ('WEBHOOK', ?, 'astronomy', 'SWITCHED_OFF', '{}', '{}', '{}',
                            'engine')
                        """,
                        HOOK);
    }

    private List<SubscriptionChange> list(
            @Nullable String user, @Nullable String project, @Nullable UUID subscription) {
        return changes.list(new ListChanges(user, project, subscription, null, 10)).items();
    }

    @Test
    void a_change_is_listed_with_caller_origin_and_reason() {
        SubscriptionChange change = list(null, null, null).getLast();

        assertThat(change)
                .isEqualTo(
                        new SubscriptionChange(
                                change.at(),
                                MADE,
                                new UserId("root"),
                                new ProjectId("ops"),
                                List.of("admin", "member"),
                                "basic",
                                "req-1",
                                RequestOrigin.of("192.0.2.7", "curl/8"),
                                "billing asked"));
    }

    @Test
    void a_change_by_the_engine_has_no_user() {
        SubscriptionChange change = list(null, null, null).getFirst();

        assertThat(change.done().action()).isEqualTo(Action.SWITCHED_OFF);
        assertThat(change.authentication()).isEqualTo("engine");
        assertThat(change.user()).isNull();
        assertThat(change.actingFor()).isNull();
        assertThat(change.requestId()).isNull();
        assertThat(change.origin()).isNull();
    }

    @Test
    void changes_are_listed_newest_first_in_pages() {
        Page<SubscriptionChange> first = changes.list(new ListChanges(null, null, null, null, 2));
        Page<SubscriptionChange> last =
                changes.list(new ListChanges(null, null, null, first.next(), 2));

        assertThat(first.items())
                .extracting(change -> change.done().action())
                .containsExactly(Action.SWITCHED_OFF, Action.REMOVED);
        assertThat(last.items()).extracting(SubscriptionChange::done).containsExactly(MADE);
        assertThat(last.next()).isNull();
        assertThatThrownBy(() -> changes.list(new ListChanges(null, null, null, "x", 2)))
                .isInstanceOf(UnknownMarker.class);
    }

    @Test
    void changes_are_filtered_by_user_project_and_subscription() {
        assertThat(list("root", null, null)).hasSize(2);
        assertThat(list("ada", null, null)).isEmpty();
        assertThat(list(null, "astronomy", null)).hasSize(2);
        assertThat(list(null, "ops", null)).isEmpty();
        assertThat(list(null, null, FEED))
                .extracting(SubscriptionChange::done)
                .containsExactly(ENDED);
        assertThat(list("root", "astronomy", HOOK))
                .extracting(SubscriptionChange::done)
                .containsExactly(MADE);
    }

    @Test
    void a_change_is_still_listed_after_the_origin_was_erased() {
        database.jdbc().execute("TRUNCATE request_origin");

        assertThat(list("root", null, null))
                .extracting(SubscriptionChange::origin)
                .containsExactly(null, null);
    }
}
