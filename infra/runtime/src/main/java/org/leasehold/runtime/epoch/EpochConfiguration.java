package org.leasehold.runtime.epoch;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.epoch.EpochStartupCheck;
import org.leasehold.command.epoch.EpochTable;
import org.leasehold.command.epoch.LastEvent;
import org.leasehold.command.epoch.LastEventFile;
import org.leasehold.command.epoch.LastEventWriter;
import org.leasehold.command.epoch.LostEventsException;
import org.leasehold.history.Epochs;
import org.leasehold.history.EventLogTail;
import org.leasehold.runtime.database.DatabaseSettings;
import org.leasehold.runtime.database.ProcessShutdown;
import org.leasehold.runtime.node.NodeSettings;
import org.leasehold.runtime.node.NodeSettings.Role;
import org.leasehold.runtime.setting.InvalidSettingException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import java.io.IOException;
import java.nio.file.Path;

/** Detects lost events of the database, at the start and while the engine runs. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(EpochSettings.class)
class EpochConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(EpochConfiguration.class);

    @Bean
    EpochTable epochTable(JdbcClient jdbc, PlatformTransactionManager transactions) {
        return new EpochTable(jdbc, new TransactionTemplate(transactions));
    }

    /** Checks the epoch. All beans come before any start, so a refused node has done nothing. */
    @Bean
    Epochs epochs(
            EpochTable table,
            EpochSettings settings,
            DatabaseSettings database,
            NodeSettings node) {
        if (!node.has(Role.COMMAND)) {
            // It may run on a replica, which lags behind, and it writes nothing.
            return table.epochs();
        }
        try {
            return new EpochStartupCheck(table, file(settings, database)).run(settings.begin());
        } catch (LostEventsException e) {
            throw new InvalidSettingException(
                    ("%s. Restore the database, or set %s.begin=%s to go on without these"
                                    + " events, or remove the file if it belongs to another"
                                    + " database")
                            .formatted(e.getMessage(), EpochSettings.PREFIX, e.nextEpoch()),
                    e);
        } catch (IllegalArgumentException e) {
            throw new InvalidSettingException(
                    EpochSettings.PREFIX + ".begin: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new InvalidSettingException(
                    "The last event cannot be read (%s.file): %s"
                            .formatted(EpochSettings.PREFIX, e.getMessage()),
                    e);
        }
    }

    /** Depends on the epochs, so that it stores nothing before the check of the database. */
    @Bean
    LastEventWriter lastEventKeeper(
            EpochTable table,
            Epochs _checked,
            EpochSettings settings,
            DatabaseSettings database,
            NodeSettings node,
            EventLogTail tail) {
        return new LastEventWriter(
                table,
                node.has(Role.COMMAND) ? file(settings, database) : null,
                tail,
                EpochConfiguration::exit);
    }

    static @Nullable LastEventFile file(EpochSettings settings, DatabaseSettings database) {
        Path path = settings.file(database);
        return path == null ? null : new LastEventFile(path);
    }

    /** Exits on a new thread: the shutdown waits for the thread that detected the loss. */
    private static void exit(LastEvent lost) {
        LOG.atError()
                .addKeyValue("event", lost.id())
                .addKeyValue("position", lost.position())
                .log("The database has lost events while the engine runs; the engine ends");
        Thread.ofPlatform().name("exit").start(ProcessShutdown::exitAfterDatabaseFailure);
    }
}
