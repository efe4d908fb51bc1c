package org.leasehold.saga.task;

import org.leasehold.calendar.Tenures;
import org.leasehold.command.Commands;
import org.leasehold.command.Retries;
import org.leasehold.query.Leases;
import org.leasehold.query.Resources;
import org.leasehold.query.Stuck;
import org.leasehold.resource.Plugins;
import org.leasehold.saga.SagaSettings;
import org.leasehold.saga.node.Node;
import org.leasehold.saga.scheduler.Backoff;
import org.leasehold.saga.scheduler.DurableScheduler;
import org.leasehold.saga.scheduler.PickedRows;
import org.leasehold.saga.scheduler.PlannedAnew;
import org.leasehold.saga.scheduler.Rush;
import org.leasehold.saga.scheduler.StoredJson;
import org.leasehold.saga.timer.LatenessListener;
import org.leasehold.saga.trust.KnownTrusts;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.time.Clock;

import javax.sql.DataSource;

@Configuration(proxyBeanMethods = false)
class TaskConfiguration {

    private static final StoredJson JSON = new StoredJson(PluginTask.class);

    @Bean
    TaskTable taskTable(DataSource dataSource) {
        return new TaskTable(JdbcClient.create(new PlannedAnew(dataSource)), JSON);
    }

    @Bean
    TaskRun taskRun(
            TaskRun.World taskWorld,
            Commands commands,
            Clock clock,
            SagaSettings settings,
            ObjectProvider<LatenessListener> lateness,
            CallTable callTable) {
        return new TaskRun(
                taskWorld,
                new PluginCalls(settings.actionsPerPlugin(), settings.actionTimeout()),
                new Patience(settings.retryFor(), Backoff.USUAL),
                new Reports(
                        commands,
                        clock,
                        lateness.getIfAvailable(() -> LatenessListener.NONE),
                        callTable),
                clock);
    }

    @Bean
    CallTable callTable(DataSource dataSource) {
        return new CallTable(JdbcClient.create(dataSource));
    }

    @Bean
    TaskRun.World taskWorld(
            Leases leases,
            Resources resources,
            Tenures tenures,
            Plugins plugins,
            KnownTrusts trusts) {
        return new TaskRun.World(leases, resources, tenures, plugins, trusts);
    }

    @Bean
    DurableScheduler pluginTaskScheduler(
            DataSource dataSource,
            TaskRun taskRun,
            TaskTable taskTable,
            Clock clock,
            SagaSettings settings,
            Node node,
            Rush rush) {
        PickedRows rows =
                new PickedRows(JdbcClient.create(new PlannedAnew(dataSource)), TaskTable.NAME);
        return new DurableScheduler(
                dataSource,
                JSON,
                clock,
                new DurableScheduler.Table(
                        TaskTable.NAME,
                        new TaskExecution(taskRun, taskTable, rows, clock, rush).task(),
                        settings.taskThreads(),
                        settings.polling(),
                        settings.stopWithin()),
                node);
    }

    @Bean
    Tasks tasks(TaskTable taskTable, DurableScheduler pluginTaskScheduler, Clock clock) {
        return new PostgresTasks(taskTable, pluginTaskScheduler, clock);
    }

    @Bean
    Retries retries(TaskTable taskTable, DurableScheduler pluginTaskScheduler, Clock clock) {
        return new TaskTable.PostgresRetries(taskTable, pluginTaskScheduler, clock);
    }

    @Bean
    Stuck stuck(TaskTable taskTable) {
        return new StuckTasks(taskTable);
    }
}
