package org.leasehold.command.execution;

import org.axonframework.commandhandling.CommandBus;
import org.axonframework.common.transaction.TransactionManager;
import org.axonframework.serialization.Serializer;
import org.leasehold.command.Commands;
import org.leasehold.command.calendar.refusal.PendingStartSearches;
import org.leasehold.command.calendar.stored.CalendarGroupCommit;
import org.leasehold.command.journal.AppendPoller;
import org.leasehold.command.journal.CatalogSerializer;
import org.leasehold.command.journal.EventCatalog;
import org.leasehold.command.journal.NotifyingEventStore;
import org.leasehold.command.journal.PostgresEventStorageEngine;
import org.leasehold.command.journal.SharedEventLogTail;
import org.leasehold.command.request.IdempotencyKeys;
import org.leasehold.command.request.OriginTable;
import org.leasehold.command.request.PostgresDenialLog;
import org.leasehold.command.request.PostgresIdempotencyKeys;
import org.leasehold.command.request.PostgresIdempotentResponses;
import org.leasehold.command.request.PostgresPrivilegedReadLog;
import org.leasehold.command.request.PostgresRequestOrigins;
import org.leasehold.command.request.RejectionLog;
import org.leasehold.command.request.RequestDataCleanup;
import org.leasehold.history.EventLogTail;
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
class EventStoreConfiguration {

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
        return PostgresEventStorageEngine.of(jdbc, new EventCatalog(), serializer);
    }

    @Bean
    NotifyingEventStore eventStore(PostgresEventStorageEngine engine) {
        return new NotifyingEventStore(engine);
    }

    @Bean
    AppendPoller tailWatch(NotifyingEventStore journal, PostgresEventStorageEngine engine) {
        return new AppendPoller(journal, engine);
    }

    @Bean
    EventLogTail tail(NotifyingEventStore journal, PostgresEventStorageEngine engine) {
        return new SharedEventLogTail(journal, engine);
    }

    @Bean
    IdempotencyKeys idempotencyKeys(JdbcClient jdbc, @Qualifier("eventMapper") JsonMapper json) {
        return new PostgresIdempotencyKeys(jdbc, json);
    }

    @Bean
    PostgresIdempotentResponses keptAnswers(
            JdbcClient jdbc, @Qualifier("eventMapper") JsonMapper json) {
        return new PostgresIdempotentResponses(jdbc, json);
    }

    @Bean
    PostgresRequestOrigins requestOrigins(
            JdbcClient jdbc, @Qualifier("eventMapper") JsonMapper json) {
        return new PostgresRequestOrigins(jdbc, json);
    }

    @Bean
    CommandInterceptor commandInterceptor(
            NotifyingEventStore journal,
            PostgresEventStorageEngine engine,
            IdempotencyKeys keys,
            OriginTable origins,
            CalendarGroupCommit calendar,
            PendingStartSearches nextStarts,
            Clock clock) {
        return new CommandInterceptor(journal, engine, keys, origins, calendar, nextStarts, clock);
    }

    @Bean
    CommandBus commandBus(
            TransactionManager transactions,
            CommandInterceptor interceptor,
            NotifyingEventStore journal,
            ObjectProvider<AggregateDefinition<?>> shells) {
        return CommandRouting.bus(transactions, interceptor, journal, shells);
    }

    @Bean
    GroupCommit groupCommit(
            CommandBus bus,
            TransactionManager transactions,
            PostgresEventStorageEngine engine,
            CalendarGroupCommit calendar,
            IdempotencyKeys keys) {
        return new GroupCommit(new GroupTransaction(bus, transactions, engine, calendar, keys));
    }

    @Bean
    PostgresDenialLog deniedAttempts(JdbcClient jdbc, @Qualifier("eventMapper") JsonMapper json) {
        return new PostgresDenialLog(jdbc, json);
    }

    @Bean
    PostgresPrivilegedReadLog privilegedReadLog(
            JdbcClient jdbc, @Qualifier("eventMapper") JsonMapper json) {
        return new PostgresPrivilegedReadLog(jdbc, json);
    }

    @Bean
    Commands commands(
            CommandBus bus,
            GroupCommit group,
            PostgresEventStorageEngine engine,
            RejectionLog denied,
            IdempotencyKeys keys,
            TransactionManager transactions,
            JdbcClient jdbc) {
        RandomGenerator jitter = RandomGenerator.getDefault();
        return new AxonCommands(
                bus,
                group,
                engine,
                denied,
                new ContentionRetry(jitter, Thread::sleep),
                new RefusalCompletion(keys, transactions),
                () -> jdbc.sql("SELECT nextval('resource_number')").query(Long.class).single());
    }

    @Bean
    RequestDataCleanup journalHousekeeping(
            IdempotencyKeys keys,
            PostgresIdempotentResponses answers,
            OriginTable origins,
            PostgresPrivilegedReadLog reads) {
        return new RequestDataCleanup(keys, answers, origins, reads);
    }
}
