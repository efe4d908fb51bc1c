package org.leasehold.command.journal;

import org.axonframework.commandhandling.CommandBus;
import org.axonframework.common.transaction.TransactionManager;
import org.axonframework.serialization.Serializer;
import org.leasehold.command.Commands;
import org.leasehold.command.calendar.CalendarGroup;
import org.leasehold.command.calendar.NextStarts;
import org.leasehold.history.Tail;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;

import tools.jackson.databind.json.JsonMapper;

import java.time.Clock;
import java.util.random.RandomGenerator;

@Configuration(proxyBeanMethods = false)
class JournalConfiguration {

    @Bean(defaultCandidate = false)
    @Qualifier("eventSerializer")
    Serializer eventSerializer(@Qualifier("eventMapper") JsonMapper json) {
        return new CatalogSerializer(new EventCatalog(), json);
    }

    @Bean
    TransactionManager axonTransactions(PlatformTransactionManager transactions) {
        return new SpringTransactions(transactions);
    }

    @Bean
    PostgresEventStorageEngine eventStorageEngine(
            JdbcTemplate jdbc, @Qualifier("eventSerializer") Serializer serializer) {
        return PostgresEventStorageEngine.on(jdbc, new EventCatalog(), serializer);
    }

    @Bean
    Journal eventStore(PostgresEventStorageEngine engine) {
        return new Journal(engine);
    }

    @Bean
    TailWatch tailWatch(Journal journal, PostgresEventStorageEngine engine) {
        return new TailWatch(journal, engine);
    }

    @Bean
    Tail tail(Journal journal, PostgresEventStorageEngine engine) {
        return new JournalTail(journal, engine);
    }

    @Bean
    IdempotencyKeys idempotencyKeys(JdbcClient jdbc, @Qualifier("eventMapper") JsonMapper json) {
        return new PostgresIdempotencyKeys(jdbc, json);
    }

    @Bean
    PostgresKeptAnswers keptAnswers(JdbcClient jdbc, @Qualifier("eventMapper") JsonMapper json) {
        return new PostgresKeptAnswers(jdbc, json);
    }

    @Bean
    PostgresRequestOrigins requestOrigins(
            JdbcClient jdbc, @Qualifier("eventMapper") JsonMapper json) {
        return new PostgresRequestOrigins(jdbc, json);
    }

    @Bean
    CommandBus commandBus(
            TransactionManager transactions,
            Journal journal,
            PostgresEventStorageEngine engine,
            IdempotencyKeys keys,
            OriginTable origins,
            CalendarGroup calendar,
            NextStarts nextStarts,
            Clock clock,
            ObjectProvider<AggregateShell<?>> shells) {
        return CommandRouting.bus(
                transactions,
                new CommandBoundary(journal, engine, keys, origins, calendar, nextStarts, clock),
                journal,
                shells);
    }

    @Bean
    GroupCommit groupCommit(
            CommandBus bus,
            TransactionManager transactions,
            PostgresEventStorageEngine engine,
            CalendarGroup calendar,
            IdempotencyKeys keys) {
        return new GroupCommit(new Groups(bus, transactions, engine, calendar, keys));
    }

    @Bean
    PostgresDeniedAttempts deniedAttempts(
            JdbcClient jdbc, @Qualifier("eventMapper") JsonMapper json) {
        return new PostgresDeniedAttempts(jdbc, json);
    }

    @Bean
    Commands commands(
            CommandBus bus,
            GroupCommit group,
            PostgresEventStorageEngine engine,
            DeniedAttempts denied,
            IdempotencyKeys keys,
            TransactionManager transactions,
            JdbcClient jdbc) {
        RandomGenerator jitter = RandomGenerator.getDefault();
        return new AxonCommands(
                bus,
                group,
                engine,
                denied,
                new Retry(jitter, Thread::sleep),
                new RefusalCompletion(keys, transactions),
                () -> jdbc.sql("SELECT nextval('resource_number')").query(Long.class).single());
    }

    @Bean
    JournalHousekeeping journalHousekeeping(
            IdempotencyKeys keys, PostgresKeptAnswers answers, OriginTable origins) {
        return new JournalHousekeeping(keys, answers, origins);
    }
}
