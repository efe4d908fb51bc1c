package org.leasehold.runtime;

import org.leasehold.command.Commands;
import org.leasehold.command.calendar.ClaimRetention;
import org.leasehold.command.request.RequestDataCleanup;
import org.leasehold.gateway.ProductInfo;
import org.leasehold.readmodel.resource.Resources;
import org.leasehold.resource.Plugins;
import org.leasehold.runtime.audit.AuditSettings;
import org.leasehold.runtime.database.DatabaseSettings;
import org.leasehold.runtime.health.CloudHealth;
import org.leasehold.runtime.node.ClockRollbackPoller;
import org.leasehold.runtime.node.Housekeeping;
import org.leasehold.runtime.node.NodeSettings;
import org.leasehold.saga.scheduler.DurableScheduler;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.scheduling.annotation.EnableScheduling;

import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;

@Configuration(proxyBeanMethods = false)
@EnableScheduling
class RuntimeConfiguration {

    /** Static, because it comes before every other bean. */
    @Bean
    static UnknownSettingCheck settingNames(Environment environment) {
        return new UnknownSettingCheck(environment);
    }

    @Bean
    Clock clock() {
        return microsecondClock();
    }

    static Clock microsecondClock() {
        // The database stores microseconds: stored times must equal the decided ones.
        return Clock.tick(Clock.systemUTC(), Duration.of(1, ChronoUnit.MICROS));
    }

    @Bean
    ProductInfo productInfo(Environment environment) {
        return new ProductInfo(
                CommandLineHelp.buildVersion(), PluginConfiguration.isSimulated(environment));
    }

    @Bean
    Housekeeping housekeeping(
            RequestDataCleanup journal,
            ClaimRetention calendar,
            AuditSettings audit,
            Clock clock,
            NodeSettings node) {
        return new Housekeeping(journal, calendar, audit, clock, node);
    }

    @Bean
    ClockRollbackPoller clockWatch(Clock clock, List<DurableScheduler> schedulers) {
        return new ClockRollbackPoller(clock, schedulers);
    }

    @Bean
    FirstStartSetup firstStart(
            DatabaseSettings settings,
            Commands commands,
            Resources resources,
            Plugins plugins,
            Clock clock,
            ConfigurableEnvironment environment,
            CloudHealth cloud) {
        return new FirstStartSetup(
                settings, commands, resources, plugins, clock, environment, cloud);
    }
}
