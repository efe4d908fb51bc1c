package org.leasehold.publishing.webhook;

import org.leasehold.history.Epochs;
import org.leasehold.publishing.DocumentsFixture;
import org.leasehold.publishing.EventFeedFixture;
import org.leasehold.publishing.PublicationOwnership;
import org.leasehold.query.projection.EventDatabase;
import org.leasehold.readmodel.event.EventFeed;
import org.leasehold.readmodel.operation.ProjectionOffsets;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import java.net.InetAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/** A real PostgreSQL with webhooks, and nodes that deliver to them. */
final class WebhookFixture implements AutoCloseable {

    static final String SECRET = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
    static final Duration WAIT_LIMIT = Duration.ofSeconds(30);

    /** Pauses so long that no test reaches their end by waiting. */
    static final List<Duration> PAUSES = List.of(Duration.ofHours(1), Duration.ofHours(2));

    final EventFeedFixture readSide = new EventFeedFixture(WebhookPublication.WEBHOOKS);
    final EventDatabase database = readSide.database();
    private final List<Node> nodes = new ArrayList<>();

    /** The parts of a node. */
    record Node(
            WebhookPublication deliveries,
            WebhookDispatcher courier,
            WebhookOffsetTable webhooks,
            WebhookSender messenger) {

        void stop() {
            try {
                deliveries.stop(WAIT_LIMIT);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            } finally {
                messenger.close();
            }
        }
    }

    static WebhookSettings settings() {
        return new WebhookSettings(
                20,
                List.of("127.0.0.0/8"),
                true,
                Duration.ofHours(24),
                Duration.ofSeconds(5),
                Duration.ofSeconds(5),
                PAUSES);
    }

    static Node node(
            JdbcClient jdbc,
            PlatformTransactionManager transactions,
            EventFeed feed,
            ProjectionOffsets projections,
            HostResolver names,
            WebhookSettings settings,
            String name) {
        WebhookTables tables = WebhookTables.of(jdbc, new TransactionTemplate(transactions));
        PermittedAddressResolver checked =
                new PermittedAddressResolver(
                        names, new DestinationPolicy(settings.allowedNetworks()));
        WebhookSender messenger =
                new WebhookSender(
                        settings,
                        new ConfiguredWebhookRules(settings, checked),
                        checked,
                        Clock.systemUTC());
        WebhookDispatcher courier =
                new WebhookDispatcher(
                        tables,
                        feed,
                        DocumentsFixture.events(Epochs.FIRST),
                        messenger,
                        new RetryPauses(settings.retries(), new Random(7)));
        return new Node(
                new WebhookPublication(
                        new PublicationOwnership(jdbc, WebhookPublication.WEBHOOKS, name),
                        tables.webhooks(),
                        courier,
                        projections),
                courier,
                tables.webhooks(),
                messenger);
    }

    Node node(String name) {
        return node(name, InetAddress::getAllByName, settings());
    }

    Node node(String name, HostResolver names, WebhookSettings settings) {
        Node node =
                node(
                        database.client(),
                        database.transactionManager(),
                        readSide.feed(),
                        readSide.projections(),
                        names,
                        settings,
                        name);
        nodes.add(node);
        return node;
    }

    Node start() {
        Node node = node("a");
        node.deliveries().start();
        return node;
    }

    /** Deletes all events and webhooks. */
    void begin() {
        nodes.forEach(Node::stop);
        nodes.clear();
        readSide.begin();
    }

    UUID hook(String project, String url, String... types) {
        return hook(project, false, url, types);
    }

    UUID hook(String project, boolean everything, String url, String... types) {
        UUID id = UUID.randomUUID();
        database.client()
                .sql(
                        """
                        INSERT INTO webhook (webhook_id, project_id, everything, user_id, url,
                            types, enabled, created_at, position)
                        VALUES (?, ?, ?, 'ada', ?, ?, true, now(),
                            (SELECT coalesce(max(position), 0) FROM domain_event))
                        """)
                .param(id)
                .param(project)
                .param(everything)
                .param(url)
                .param(types)
                .update();
        addSecret(id, SECRET);
        return id;
    }

    void addSecret(UUID id, String secret) {
        database.client()
                .sql("INSERT INTO webhook_secret (webhook_id, secret) VALUES (?, ?)")
                .param(id)
                .param(secret)
                .update();
    }

    /**
     * Appends events of each lease of a project, in turn; the first of all has position 1. They
     * have properties of a resource, which only operators see.
     */
    void live(String project, int events, String... leases) {
        for (int event = 0; event < events; event++) {
            for (String lease : leases) {
                long before =
                        number("SELECT count(*) FROM domain_event WHERE stream_id = ?", lease);
                database.append(
                        "Lease",
                        lease,
                        before == 0 ? "LeaseRequested" : "LeaseStarting",
                        """
                        {"projectId": "%s", "resource": 7, "properties": {"rack": "r1"}}
                        """
                                .formatted(project),
                        "{}");
            }
        }
        readSide.follow();
    }

    /**
     * Adds waiting events, each of its own lease, whose retry is later than the end of a test.
     * Their positions are before the first event's.
     */
    void layBy(UUID id, int count, int tries) {
        database.client()
                .sql(
                        """
                        INSERT INTO webhook_letter (webhook_id, position, stream, event_id,
                            event_type, attempts, step, first_at, last_at, next_at)
                        SELECT ?, -number, 'Lease:former-' || number, gen_random_uuid(),
                            'LeaseRequested', ?, ?, now(), now(), now() + interval '1 day'
                        FROM generate_series(1, ?) number
                        """)
                .params(id, tries, tries, count)
                .update();
    }

    long number(String sql, Object... params) {
        return database.client().sql(sql).params(List.of(params)).query(Long.class).single();
    }

    long position(UUID id) {
        return number("SELECT position FROM webhook WHERE webhook_id = ?", id);
    }

    long waiting(UUID id) {
        return number(
                "SELECT count(*) FROM webhook_letter WHERE webhook_id = ? AND next_at IS NOT NULL",
                id);
    }

    long dead(UUID id) {
        return number(
                "SELECT count(*) FROM webhook_letter WHERE webhook_id = ? AND next_at IS NULL", id);
    }

    /** Ends all pauses before retries. */
    void letPausesPass() {
        database.jdbc()
                .update("UPDATE webhook_letter SET next_at = now() WHERE next_at IS NOT NULL");
    }

    /** Waits until all events were delivered or wait for a retry. */
    void awaitProcessed(UUID id) {
        EventFeedFixture.await(() -> position(id) == database.head(), WAIT_LIMIT);
    }

    @Override
    public void close() {
        nodes.forEach(Node::stop);
        readSide.close();
    }
}
