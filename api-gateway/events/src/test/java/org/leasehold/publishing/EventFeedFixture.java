package org.leasehold.publishing;

import org.leasehold.query.projection.EventDatabase;
import org.leasehold.query.projection.Projection;
import org.leasehold.readmodel.event.EventFeed;
import org.leasehold.readmodel.operation.ProjectionOffsets;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.FullyQualifiedAnnotationBeanNameGenerator;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;

import java.time.Duration;
import java.util.function.BooleanSupplier;

import javax.sql.DataSource;

/** A real PostgreSQL, and the production feed. */
public final class EventFeedFixture implements AutoCloseable {

    private final EventDatabase database = new EventDatabase();
    private final AnnotationConfigApplicationContext beans =
            new AnnotationConfigApplicationContext();
    private final String publication;

    /**
     * @param publication the publication whose offset is read
     */
    public EventFeedFixture(String publication) {
        this.publication = publication;
        beans.setBeanNameGenerator(FullyQualifiedAnnotationBeanNameGenerator.INSTANCE);
        beans.registerBean(DataSource.class, database::dataSource);
        beans.registerBean(JdbcClient.class, database::client);
        // The log, and its end; closed with everything else.
        beans.registerBean(EventDatabase.class, () -> database);
        beans.registerBean(PlatformTransactionManager.class, database::transactionManager);
        beans.scan("org.leasehold.query.entry", "org.leasehold.query.projection");
        beans.refresh();
    }

    public EventDatabase database() {
        return database;
    }

    /** Deletes all events. */
    public void begin() {
        database.jdbc()
                .execute(
                        """
                        TRUNCATE domain_event RESTART IDENTITY;
                        TRUNCATE event_entry, event_resource, webhook, meter_reading CASCADE;
                        UPDATE projection SET position = 0;
                        UPDATE publication SET position = 0, owner = NULL, until = now();
                        """);
    }

    /** Updates the feed with the appended events. */
    public void follow() {
        database.follow(beans.getBean(Projection.class));
    }

    public EventFeed feed() {
        return beans.getBean(EventFeed.class);
    }

    public ProjectionOffsets projections() {
        return beans.getBean(ProjectionOffsets.class);
    }

    public PublicationOwnership ownership(String node) {
        return new PublicationOwnership(database.client(), publication, node);
    }

    /** Expires the ownership, as if the owner had stopped for ten seconds. */
    public void letTheOwnersTimePass() {
        database.jdbc().update("UPDATE publication SET until = now()");
    }

    /** Keeps the ownership, however slow this machine is. */
    public void keepTheOwnersTime() {
        database.jdbc().update("UPDATE publication SET until = 'infinity'");
    }

    /** Returns the owner; empty for none. */
    public String owner() {
        return database.client()
                .sql("SELECT coalesce(owner, '') FROM publication WHERE name = ?")
                .param(publication)
                .query(String.class)
                .single();
    }

    /** Returns the offset of the publication. */
    public long published() {
        return ownership("nobody").offset();
    }

    public void awaitPublished() {
        await(() -> published() == database.head(), Duration.ofSeconds(60));
    }

    public static void await(BooleanSupplier condition, Duration longest) {
        long end = System.nanoTime() + longest.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("It did not come in time");
            }
            try {
                Thread.sleep(20);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    @Override
    public void close() {
        beans.close();
    }
}
