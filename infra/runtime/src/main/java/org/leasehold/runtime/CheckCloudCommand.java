package org.leasehold.runtime;

import org.leasehold.gateway.security.AuthenticationSettings;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.PluginRegistry;
import org.leasehold.resource.openstack.identity.KeystoneIdentities;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

import java.io.PrintStream;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/**
 * The command {@code java -jar leasehold.jar check-cloud …}. It tries in the cloud each right that
 * the engine's user needs for the enabled features. It starts no part of the engine, and needs
 * neither its database nor its data folder.
 */
@Import(CloudConfiguration.class)
@EnableConfigurationProperties(AuthenticationSettings.class)
final class CheckCloudCommand {

    static final String NAME = "check-cloud";

    private CheckCloudCommand() {}

    /** Returns 0 if the user has all rights, and 1 if one is missing or cannot be tried. */
    static int run(String[] settings, PrintStream out) {
        SpringApplication application = new SpringApplication(CheckCloudCommand.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setLogStartupInfo(false);
        try (ConfigurableApplicationContext context =
                application.run(OperatorCommandEnvironment.withoutBanner(settings))) {
            return context.getBean(RightsReport.class).print(out) ? 0 : 1;
        }
    }

    @Bean
    static Clock clock() {
        return RuntimeConfiguration.microsecondClock();
    }

    @Bean
    static PluginRegistry plugins(Environment environment) {
        return PluginConfiguration.loadRealCloud(environment);
    }

    @Bean
    static RightsReport report(
            PluginRegistry plugins, ObjectProvider<KeystoneIdentities> keystone) {
        List<RightsReport.Subject> subjects = new ArrayList<>();
        keystone.ifAvailable(
                identities ->
                        subjects.add(
                                new RightsReport.Subject(
                                        "keystone", identities::check, identities.rights())));
        plugins.kinds()
                .forEach(
                        kind ->
                                plugins.find(new ResourceKind(kind))
                                        .map(
                                                plugin ->
                                                        new RightsReport.Subject(
                                                                kind,
                                                                plugin::check,
                                                                plugin.rights()))
                                        .ifPresent(subjects::add));
        return new RightsReport(subjects);
    }
}
