package org.leasehold.saga.task;

import org.leasehold.calendar.CurrentTenures;
import org.leasehold.command.Commands;
import org.leasehold.command.TaskRetries;
import org.leasehold.history.Backoff;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.readmodel.operation.StuckActionQuery;
import org.leasehold.readmodel.resource.Resources;
import org.leasehold.resource.Plugins;
import org.leasehold.saga.SagaSettings;
import org.leasehold.saga.node.Node;
import org.leasehold.saga.scheduler.DurableScheduler;
import org.leasehold.saga.scheduler.PickedExecutions;
import org.leasehold.saga.scheduler.ReplanningJdbcTemplate;
import org.leasehold.saga.scheduler.StoredJson;
import org.leasehold.saga.scheduler.TimerBacklog;
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
        return new TaskTable(jdbc(dataSource), JSON);
    }

    private static JdbcClient jdbc(DataSource dataSource) {
        return JdbcClient.create(new ReplanningJdbcTemplate(dataSource));
    }

    @Bean
    FailingTaskTable failingTaskTable(DataSource dataSource) {
        return new FailingTaskTable(jdbc(dataSource), JSON);
    }

    @Bean
    TaskRunner taskRun(
            TaskRunner.World taskWorld,
            Commands commands,
            Clock clock,
            SagaSettings settings,
            ObjectProvider<LatenessListener> lateness,
            PluginCallTable callTable,
            FailingTaskTable failingTasks) {
        return new TaskRunner(
                taskWorld,
                new PluginCallLimiter(settings.actionsPerPlugin(), settings.actionTimeout()),
                new TaskRetryPolicy(settings.retryFor(), Backoff.DEFAULT),
                new TaskReporter(
                        commands,
                        clock,
                        lateness.getIfAvailable(() -> LatenessListener.NONE),
                        callTable),
                // The next poll of the table finds the tasks.
                new PluginOutages(clock, kind -> failingTasks.retryNow(kind, clock.instant())),
                clock);
    }

    @Bean
    PluginCallTable callTable(DataSource dataSource) {
        return new PluginCallTable(JdbcClient.create(dataSource));
    }

    @Bean
    TaskRunner.World taskWorld(
            Leases leases,
            Resources resources,
            CurrentTenures tenures,
            Plugins plugins,
            KnownTrusts trusts) {
        return new TaskRunner.World(leases, resources, tenures, plugins, trusts);
    }

    @Bean
    DurableScheduler pluginTaskScheduler(
            DataSource dataSource,
            TaskRunner taskRun,
            TaskTable taskTable,
            Clock clock,
            SagaSettings settings,
            Node node,
            TimerBacklog rush) {
        PickedExecutions rows = new PickedExecutions(jdbc(dataSource), TaskTable.TABLE_NAME);
        return new DurableScheduler(
                dataSource,
                JSON,
                clock,
                new DurableScheduler.Table(
                        TaskTable.TABLE_NAME,
                        new TaskDispatcher(taskRun, taskTable, rows, clock, rush).task(),
                        settings.taskThreads(),
                        settings.polling(),
                        settings.stopWithin()),
                node);
    }

    @Bean
    TaskQueue tasks(
            TaskTable taskTable,
            FailingTaskTable failingTasks,
            DurableScheduler pluginTaskScheduler,
            Clock clock) {
        return new PostgresTaskQueue(taskTable, failingTasks, pluginTaskScheduler, clock);
    }

    @Bean
    TaskRetries retries(
            FailingTaskTable failingTasks, DurableScheduler pluginTaskScheduler, Clock clock) {
        return new PostgresRetries(failingTasks, pluginTaskScheduler, clock);
    }

    @Bean
    StuckActionQuery stuck(FailingTaskTable failingTasks) {
        return new StuckTasks(failingTasks);
    }
}
