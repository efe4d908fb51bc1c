package org.leasehold.command.journal;

import org.axonframework.commandhandling.CommandBus;
import org.axonframework.commandhandling.SimpleCommandBus;
import org.axonframework.common.transaction.TransactionManager;
import org.axonframework.messaging.correlation.CorrelationDataProvider;
import org.axonframework.messaging.interceptors.CorrelationDataInterceptor;
import org.axonframework.serialization.Serializer;
import org.leasehold.command.Commands;
import org.leasehold.command.calendar.CalendarGroup;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;

import tools.jackson.databind.json.JsonMapper;

import java.util.List;
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
    IdempotencyKeys idempotencyKeys(JdbcClient jdbc, @Qualifier("eventMapper") JsonMapper json) {
        return new IdempotencyKeys(jdbc, json);
    }

    @Bean
    CommandBus commandBus(
            TransactionManager transactions,
            Journal journal,
            PostgresEventStorageEngine engine,
            IdempotencyKeys keys,
            ObjectProvider<AggregateShell<?>> shells) {
        SimpleCommandBus bus = SimpleCommandBus.builder().transactionManager(transactions).build();
        CorrelationDataProvider stored =
                command -> CommandMetadata.stored(CommandMetadata.context(command));
        bus.registerHandlerInterceptor(new CorrelationDataInterceptor<>(List.of(stored)));
        bus.registerHandlerInterceptor(new CommandBoundary(journal, engine, keys));
        shells.forEach(shell -> CommandRouting.subscribe(shell, bus, journal));
        return bus;
    }

    @Bean
    GroupCommit groupCommit(
            CommandBus bus,
            TransactionManager transactions,
            PostgresEventStorageEngine engine,
            CalendarGroup calendar) {
        return new GroupCommit(bus, transactions, engine, calendar);
    }

    @Bean
    Commands commands(
            CommandBus bus,
            GroupCommit group,
            PostgresEventStorageEngine engine,
            JdbcClient jdbc,
            @Qualifier("eventMapper") JsonMapper json) {
        RandomGenerator jitter = RandomGenerator.getDefault();
        return new AxonCommands(
                bus,
                group,
                engine,
                new DeniedAttempts(jdbc, json),
                new Retry(jitter, Thread::sleep),
                jdbc);
    }

    @Bean
    JournalHousekeeping journalHousekeeping(IdempotencyKeys keys) {
        return new JournalHousekeeping(keys);
    }
}
