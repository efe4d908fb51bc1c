package org.leasehold.demo;

import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.eventhandling.GlobalSequenceTrackingToken;
import org.axonframework.eventsourcing.eventstore.EventStorageEngine;
import org.leasehold.inventory.ResourceEvent.ResourceEnrolled;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationAdjusting;
import org.leasehold.readmodel.operation.ReadModels;
import org.leasehold.readmodel.operation.ReadModels.ReadModel;
import org.leasehold.readmodel.operation.ReadModels.State;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.simulator.cloud.SimulatedCloud;
import org.leasehold.vocabulary.Tenure;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.FilterType;
import org.springframework.context.annotation.FullyQualifiedAnnotationBeanNameGenerator;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import java.time.Clock;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.sql.DataSource;

/**
 * Writes a generated event log into a database, as if an engine had run there. It stores the events
 * as the product does, each recorded at the time of its decision. The product's own rebuild creates
 * all derived tables. Of the product, it starts only the writer of events and the read models.
 */
@ComponentScan(
        basePackages = {"org.leasehold.command", "org.leasehold.query"},
        nameGenerator = FullyQualifiedAnnotationBeanNameGenerator.class,
        useDefaultFilters = false,
        includeFilters = @Filter(type = FilterType.REGEX, pattern = ".*Configuration"))
final class DatabaseFiller {

    private static final int BATCH_SIZE = 2_000;
    private static final int POLL_INTERVAL_MILLIS = 50;

    /** The number of segments of the product's processors. */
    private static final int SEGMENTS = 4;

    private static final String RECORD_AS_DECIDED =
            """
            CREATE FUNCTION pg_temp.record_as_decided() RETURNS trigger LANGUAGE plpgsql AS
            $$
            BEGIN
                NEW.recorded_at = NEW.decided_at;
                RETURN NEW;
            END
            $$;
            CREATE TRIGGER record_as_decided BEFORE INSERT ON domain_event
                FOR EACH ROW EXECUTE FUNCTION pg_temp.record_as_decided();
            -- Refusals name positions: the first one has to be 1.
            SELECT setval(pg_get_serial_sequence('domain_event', 'position'), 1, false)\
            """;

    /**
     * Marks all events as processed by the lease sagas, since they are long over. Sagas of
     * resources belong to another processor, which adds enrolled resources to the cloud's pool.
     */
    private static final String INSERT_TOKENS =
            """
            INSERT INTO token_entry (processor_name, segment, token, token_type, timestamp)
            SELECT 'processes', segment,
                   convert_to(json_build_object('globalIndex', :position)::text, 'UTF8'), :type,
                   to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
            FROM generate_series(0, :segments - 1) segment
            """;

    private final DataSource connections;
    private final EventStorageEngine events;
    private final ReadModels readModels;
    private final TransactionTemplate transaction;
    private final JdbcClient jdbc;

    private DatabaseFiller(ConfigurableApplicationContext product) {
        connections = product.getBean(DataSource.class);
        events = product.getBean(EventStorageEngine.class);
        readModels = product.getBean(ReadModels.class);
        transaction = new TransactionTemplate(product.getBean(PlatformTransactionManager.class));
        jdbc = product.getBean(JdbcClient.class);
    }

    /** Fills a fresh database. After a failure, it holds at most the simulated cloud. */
    static void fill(
            TargetDatabase database, DataSource connections, List<DomainEventMessage<?>> history)
            throws InterruptedException {
        SimulatedCloud.create(database.url(), database.user(), database.password(), Fleet.HOSTS)
                .close();
        SpringApplication application = new SpringApplication(DatabaseFiller.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setBannerMode(Banner.Mode.OFF);
        application.setLogStartupInfo(false);
        // The caller owns the connections: the context does not close them.
        application.addInitializers(
                context -> context.getBeanFactory().registerSingleton("connections", connections));
        try (ConfigurableApplicationContext product = application.run()) {
            new DatabaseFiller(product).fill(history);
        }
    }

    private void fill(List<DomainEventMessage<?>> history) throws InterruptedException {
        transaction.executeWithoutResult(_ -> write(history));
        new JdbcTemplate(connections).execute("VACUUM ANALYZE domain_event");
        rebuild();
    }

    private void write(List<DomainEventMessage<?>> history) {
        JdbcTemplate template = new JdbcTemplate(connections);
        template.execute(RECORD_AS_DECIDED);
        for (int first = 0; first < history.size(); first += BATCH_SIZE) {
            events.appendEvents(
                    history.subList(first, Math.min(history.size(), first + BATCH_SIZE)));
        }
        template.execute("DROP TRIGGER record_as_decided ON domain_event");
        jdbc.sql(INSERT_TOKENS)
                .param("position", (long) history.size())
                .param("type", GlobalSequenceTrackingToken.class.getName())
                .param("segments", SEGMENTS)
                .update();
        advanceSequence(
                "resource_number", history.stream().flatMap(DatabaseFiller::resourceNumbers));
        advanceSequence(
                "tenure_generation", history.stream().flatMap(DatabaseFiller::tenureNumbers));
    }

    /** Sets a sequence, so that the next number follows the highest used one. */
    private void advanceSequence(String sequence, Stream<Long> numbers) {
        numbers.max(Long::compare)
                .ifPresent(
                        last ->
                                jdbc.sql("SELECT setval(:sequence::regclass, :last)")
                                        .param("sequence", sequence)
                                        .param("last", last)
                                        .query(Long.class)
                                        .single());
    }

    private static Stream<Long> resourceNumbers(DomainEventMessage<?> event) {
        return event.getPayload() instanceof ResourceEnrolled enrolled
                ? Stream.of(enrolled.resourceId().value())
                : Stream.empty();
    }

    private static Stream<Long> tenureNumbers(DomainEventMessage<?> event) {
        return switch (event.getPayload()) {
            case LeaseStarting starting -> starting.tenures().stream().map(Tenure::generation);
            case ReservationAdjusting adjusting -> Stream.of(adjusting.tenure().generation());
            case Object _ -> Stream.empty();
        };
    }

    private void rebuild() throws InterruptedException {
        readModels.rebuild(
                readModels.list().stream().map(ReadModel::name).collect(Collectors.toSet()));
        List<ReadModel> now = readModels.list();
        while (now.stream().anyMatch(model -> model.state() == State.REBUILDING)) {
            Thread.sleep(POLL_INTERVAL_MILLIS);
            now = readModels.list();
        }
        for (ReadModel model : now) {
            if (model.state() != State.REBUILT) {
                throw new IllegalStateException("The read model is not made: " + model);
            }
        }
    }

    @Bean
    static PlatformTransactionManager transactionManager(DataSource connections) {
        return new DataSourceTransactionManager(connections);
    }

    @Bean
    static JdbcTemplate jdbcTemplate(DataSource connections) {
        return new JdbcTemplate(connections);
    }

    @Bean
    static JdbcClient jdbcClient(JdbcTemplate jdbc) {
        return JdbcClient.create(jdbc);
    }

    @Bean
    static Plugins plugins() {
        return new StatelessCloud();
    }

    @Bean
    static Clock clock() {
        return Clock.systemUTC();
    }
}
