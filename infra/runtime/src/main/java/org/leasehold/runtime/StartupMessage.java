package org.leasehold.runtime;

import org.leasehold.resource.Plugins;
import org.springframework.core.env.ConfigurableEnvironment;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The log message of the start: enabled plug-ins, the cloud, logins, and addresses to begin with.
 */
final class StartupMessage {

    private static final String ISOLATION = ".openstack-hosts.isolation";

    /** Characters that need no quotes in a shell. */
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9/._-]+");

    private StartupMessage() {}

    static String of(ConfigurableEnvironment environment, Plugins plugins, EmbeddedUsers embedded) {
        String root = BlazarApiUrl.root(environment);
        return String.join(
                ". ",
                List.of(
                        "Leases " + plugins(environment, plugins),
                        "Cloud: " + cloud(environment),
                        "Prices: " + prices(environment),
                        "Clients log in with " + logins(environment, embedded),
                        "Page: " + root + "/",
                        "API: " + root + "/openapi.json",
                        // The last words, without a period: a user pastes them into a shell.
                        "Try: " + command(environment, root, embedded.netrcFile().toString())));
    }

    private static String plugins(ConfigurableEnvironment environment, Plugins plugins) {
        String isolation = environment.getProperty(PluginConfiguration.PREFIX + ISOLATION);
        return plugins.names().entrySet().stream()
                .map(
                        each ->
                                each.getKey()
                                        + " by "
                                        + each.getValue()
                                        + (each.getValue().equals(PluginConfiguration.HOSTS_PLUGIN)
                                                ? " (isolation " + isolation + ")"
                                                : ""))
                .collect(Collectors.joining(", "));
    }

    private static String cloud(ConfigurableEnvironment environment) {
        boolean simulated = PluginConfiguration.isSimulated(environment);
        String resources =
                simulated
                        ? "a simulated cloud: no real host is touched"
                        : "a real cloud: what is leased there is real";
        return simulated && !CloudConfiguration.usesKeystone(environment)
                ? resources
                : resources + "; " + keystone(CloudConfiguration.settings(environment));
    }

    private static String keystone(Map<String, String> settings) {
        return "Keystone %s, region %s, interface %s"
                .formatted(
                        withoutUser(value(settings, "auth-url", "none")),
                        value(settings, "region", "any"),
                        value(settings, "interface", "public"));
    }

    /** Returns a setting, also from an environment variable, whose name has no dashes. */
    private static String value(Map<String, String> settings, String name, String otherwise) {
        return settings.getOrDefault(name, settings.getOrDefault(name.replace("-", ""), otherwise));
    }

    private static String withoutUser(String address) {
        String user = URI.create(address).getRawUserInfo();
        return user == null ? address : address.replace(user + "@", "");
    }

    private static String prices(ConfigurableEnvironment environment) {
        String file = environment.getProperty("leasehold.rating.plans");
        if (file != null) {
            return "plans of " + file;
        }
        return environment.getProperty("leasehold.rating.example-plans", Boolean.class, false)
                ? "an example; leasehold.rating.plans names your own"
                : "none";
    }

    /** Returns a command that works from any folder. */
    private static String command(ConfigurableEnvironment environment, String root, String netrc) {
        if (!EmbeddedMode.hasEmbeddedUsers(environment)) {
            return "curl " + root + "/openapi.json";
        }
        // No quote can be in the name of a data folder.
        String file = PLAIN.matcher(netrc).matches() ? netrc : "'" + netrc + "'";
        return "curl --netrc-file %s %s/api/leases"
                .formatted(file, root.replaceFirst("://", "://demo@"));
    }

    private static String logins(ConfigurableEnvironment environment, EmbeddedUsers embedded) {
        if (CloudConfiguration.usesKeystone(environment)) {
            return "a token of Keystone's";
        }
        return EmbeddedMode.hasEmbeddedUsers(environment)
                ? embedded.cloudsFile().toString()
                : "names and passwords of leasehold.gateway.users";
    }
}
