package org.leasehold.runtime;

import org.leasehold.command.CommandContext;
import org.leasehold.command.Commands;
import org.leasehold.inventory.ResourceCommand.EnrolResource;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.query.Resources;
import org.leasehold.resource.Acting.Discovery;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.ResourcePlugin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.ConfigurableEnvironment;

import java.time.Clock;
import java.util.Map;
import java.util.UUID;

/** Makes the embedded default usable at once: some hosts are enrolled, and the user is told how. */
final class FirstStart {

    private static final Logger LOG = LoggerFactory.getLogger(FirstStart.class);

    private static final int ENROLLED_HOSTS = 4;

    private final DatabaseSettings settings;
    private final Commands commands;
    private final Resources resources;
    private final Plugins plugins;
    private final Clock clock;
    private final ConfigurableEnvironment environment;

    FirstStart(
            DatabaseSettings settings,
            Commands commands,
            Resources resources,
            Plugins plugins,
            Clock clock,
            ConfigurableEnvironment environment) {
        this.settings = settings;
        this.commands = commands;
        this.resources = resources;
        this.plugins = plugins;
        this.clock = clock;
        this.environment = environment;
    }

    @EventListener(ApplicationReadyEvent.class)
    void ready() {
        if (!settings.isEmbedded()) {
            return;
        }
        boolean simulated = PluginConfiguration.isSimulated(environment);
        if (simulated && resources.list(ResourceKind.PHYSICAL_HOST).isEmpty()) {
            plugins.find(ResourceKind.PHYSICAL_HOST).ifPresent(this::enrolSomeHosts);
        }
        LOG.info(
                "ready at {} on {}. Clients log in with {}",
                EmbeddedDefault.endpoint(environment),
                simulated
                        ? "a simulated cloud: no real host is touched"
                        : "a real cloud: what is leased there is real",
                CloudConfiguration.asksKeystone(environment)
                        ? "a token of Keystone's"
                        : new EmbeddedUsers(settings.folder()).cloudsFile());
    }

    private void enrolSomeHosts(ResourcePlugin hosts) {
        for (int number = 1; number <= ENROLLED_HOSTS; number++) {
            if (hosts.acting().discover("compute-" + number)
                    instanceof Discovery.Found(var name, var region, var zone, var attributes)) {
                commands.send(
                        new EnrolResource(
                                commands.nextResourceId(),
                                hosts.kind(),
                                name,
                                region,
                                zone,
                                attributes,
                                Map.of()),
                        CommandContext.engine(clock.instant(), "req-" + UUID.randomUUID(), null));
            }
        }
    }
}
