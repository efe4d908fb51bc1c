package org.leasehold.runtime;

import org.leasehold.postgres.DataFolder;
import org.leasehold.runtime.database.DatabaseSettings;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.bootstrap.ConfigurableBootstrapContext;
import org.springframework.boot.context.event.ApplicationFailedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertiesPropertySource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;

/**
 * The default of an engine without an external database. It locks its data folder before it writes
 * there, and adds users if none are configured. Leases of a simulated cloud get example prices.
 */
final class EmbeddedMode implements EnvironmentPostProcessor {

    private static final String USERS = "embedded users";
    private static final String PRICES = "prices of the embedded default";

    private final ConfigurableBootstrapContext bootstrap;

    EmbeddedMode(ConfigurableBootstrapContext bootstrap) {
        this.bootstrap = bootstrap;
    }

    @Override
    public void postProcessEnvironment(
            ConfigurableEnvironment environment, SpringApplication application) {
        boolean serves = application.getWebApplicationType() != WebApplicationType.NONE;
        if (!DatabaseSettings.isEmbedded(environment) || !serves) {
            return;
        }
        DataFolder folder = DataFolder.open(DatabaseSettings.folder(environment));
        bootstrap.addCloseListener(
                event ->
                        ((GenericApplicationContext) event.getApplicationContext())
                                .registerBean(DataFolder.class, () -> folder));
        application.addListeners(
                (ApplicationListener<ApplicationFailedEvent>) _ -> release(folder));
        if (!environment.containsProperty("leasehold.gateway.users[0].name")
                && !CloudConfiguration.usesKeystone(environment)) {
            EmbeddedUsers users = new EmbeddedUsers(folder.path());
            environment
                    .getPropertySources()
                    .addLast(new PropertiesPropertySource(USERS, users.settings()));
            // Logging is set up after this method, and before the bootstrap context closes.
            bootstrap.addCloseListener(_ -> users.logNewPasswords());
        }
        if (PluginConfiguration.isSimulated(environment)) {
            environment
                    .getPropertySources()
                    .addLast(
                            new MapPropertySource(
                                    PRICES, Map.of("leasehold.rating.example-plans", "true")));
        }
    }

    /** Returns true if the engine has its own users: none are configured, and no Keystone is. */
    static boolean hasEmbeddedUsers(ConfigurableEnvironment environment) {
        return environment.getPropertySources().contains(USERS);
    }

    private static void release(DataFolder folder) {
        try {
            folder.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
