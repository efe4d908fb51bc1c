package org.leasehold.runtime;

import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.PropertiesPropertySource;

import java.nio.file.Path;

/** Without a database of its own to use, the engine brings its users along, too. */
final class EmbeddedDefault implements EnvironmentPostProcessor {

    @Override
    public void postProcessEnvironment(
            ConfigurableEnvironment environment, SpringApplication application) {
        boolean embedded = !environment.containsProperty(DatabaseSettings.PREFIX + ".url");
        boolean hasUsers = environment.containsProperty("leasehold.gateway.users[0].name");
        boolean asksKeystone = CloudConfiguration.asksKeystone(environment);
        boolean serves = application.getWebApplicationType() != WebApplicationType.NONE;
        if (!embedded || hasUsers || asksKeystone || !serves) {
            return;
        }
        Path folder =
                Binder.get(environment)
                        .bind(DatabaseSettings.PREFIX + ".folder", Path.class)
                        .orElse(Path.of("data"));
        environment
                .getPropertySources()
                .addLast(
                        new PropertiesPropertySource(
                                "embedded users",
                                new EmbeddedUsers(folder).settings(endpoint(environment))));
    }

    static String endpoint(ConfigurableEnvironment environment) {
        return "http://%s:%s/v1"
                .formatted(
                        environment.getProperty("server.address", "127.0.0.1"),
                        environment.getProperty("server.port", "1234"));
    }
}
