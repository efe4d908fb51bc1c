package org.leasehold.runtime;

import org.leasehold.command.CommandContext;
import org.leasehold.command.Commands;
import org.leasehold.inventory.ResourceCommand.EnrolResource;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.resource.Resources;
import org.leasehold.resource.Acting.Discovery;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.runtime.database.DatabaseSettings;
import org.leasehold.runtime.health.CloudHealth;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.ConfigurableEnvironment;

import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Makes the embedded default usable at once: it enrols some resources. In every mode, it logs that
 * the engine is ready, and the most important settings.
 */
final class FirstStartSetup {

    private static final Logger LOG = LoggerFactory.getLogger(FirstStartSetup.class);

    private static final List<String> HOSTS =
            List.of("compute-1", "compute-2", "compute-3", "compute-4");

    private static final String NETWORK = "8d8bbbf2-2e0c-4b1c-9f4a-7d2a5f2f2f01";
    private static final List<String> FLOATING_IPS =
            List.of(
                    NETWORK + "/203.0.113.200",
                    NETWORK + "/203.0.113.201",
                    NETWORK + "/203.0.113.202",
                    NETWORK + "/203.0.113.203");

    private static final List<String> SEGMENTS =
            List.of(
                    "vlan/physnet1/1200",
                    "vlan/physnet1/1201",
                    "vlan/physnet1/1202",
                    "vxlan/-/70000");

    private static final List<String> VOLUME_TYPES = List.of("gold", "silver");

    private static final List<String> ZONES = List.of("nova");

    private final DatabaseSettings settings;
    private final Commands commands;
    private final Resources resources;
    private final Plugins plugins;
    private final Clock clock;
    private final ConfigurableEnvironment environment;
    private final CloudHealth cloud;

    FirstStartSetup(
            DatabaseSettings settings,
            Commands commands,
            Resources resources,
            Plugins plugins,
            Clock clock,
            ConfigurableEnvironment environment,
            CloudHealth cloud) {
        this.settings = settings;
        this.commands = commands;
        this.resources = resources;
        this.plugins = plugins;
        this.clock = clock;
        this.environment = environment;
        this.cloud = cloud;
    }

    @EventListener(ApplicationReadyEvent.class)
    void onApplicationReady() {
        EmbeddedUsers users = new EmbeddedUsers(settings.folder());
        String endpoint = BlazarApiUrl.of(environment);
        if (settings.isEmbedded()) {
            if (PluginConfiguration.isSimulated(environment)) {
                enrolSampleResources();
            }
            if (EmbeddedMode.hasEmbeddedUsers(environment)) {
                users.writeClientFiles(endpoint);
            }
        }
        String report = StartupMessage.of(environment, plugins, users);
        if (cloud.health().getStatus().equals(Status.DOWN)) {
            LOG.warn("not ready, but listens at {}. {}", endpoint, report);
        } else {
            LOG.info("ready at {}. {}", endpoint, report);
        }
    }

    private void enrolSampleResources() {
        enrolSamples(ResourceKind.PHYSICAL_HOST, HOSTS);
        enrolSamples(ResourceKind.FLOATING_IP, FLOATING_IPS);
        enrolSamples(ResourceKind.NETWORK, SEGMENTS);
        enrolSamples(ResourceKind.VOLUME, VOLUME_TYPES);
        enrolSamples(ResourceKind.SERVER, ZONES);
        enrolSamples(ResourceKind.STACK, List.of(NETWORK));
    }

    private void enrolSamples(ResourceKind kind, List<String> names) {
        if (resources.list(kind).isEmpty()) {
            plugins.find(kind).ifPresent(plugin -> names.forEach(name -> enrol(plugin, name)));
        }
    }

    private void enrol(ResourcePlugin plugin, String name) {
        if (plugin.acting().discover(name)
                instanceof Discovery.Found(var foundName, var region, var zone, var attributes)) {
            commands.send(
                    new EnrolResource(
                            commands.nextResourceId(),
                            plugin.kind(),
                            foundName,
                            region,
                            zone,
                            attributes,
                            Map.of()),
                    CommandContext.ofEngine(clock.instant(), "req-" + UUID.randomUUID(), null));
        }
    }
}
