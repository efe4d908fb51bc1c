package org.leasehold.runtime.moving;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The settings of a {@code blazar.conf}, and their meaning for Leasehold.
 *
 * @param settings by group and name, such as {@code manager.plugins}
 */
record BlazarConfigFile(Map<String, String> settings) {

    private static final String DEFAULT = "DEFAULT";

    /** A setting; the first of the two signs separates name and value. */
    private static final Pattern SETTING = Pattern.compile("([^:=]*[^:=\\s])\\s*[:=]\\s*(.*)");

    private static final Pattern SEPARATOR = Pattern.compile("[\\s,]+");

    private static final Pattern QUOTED = Pattern.compile("(['\"])(.*)\\1");

    private static final String BEFORE_END = "physical:host.before_end";

    private static final Pattern SECRET_NAME =
            Pattern.compile(".*(password|token|secret|key|connection|transport_url).*");

    /** A value with credentials: if anywhere, they stand before the name of a server. */
    private static final Pattern CREDENTIAL_VALUE =
            Pattern.compile("(?i).*(://.*@|password|secret).*");

    /** Settings whose values stay the same. */
    private static final Map<String, String> UNCHANGED_SETTINGS =
            Map.ofEntries(
                    Map.entry("DEFAULT.host", "server.address"),
                    Map.entry("DEFAULT.port", "server.port"),
                    Map.entry("DEFAULT.os_admin_username", "leasehold.openstack.user"),
                    Map.entry("DEFAULT.os_admin_password", "leasehold.openstack.password"),
                    Map.entry("DEFAULT.os_admin_project_name", "leasehold.openstack.project"),
                    Map.entry(
                            "DEFAULT.os_admin_user_domain_name", "leasehold.openstack.user-domain"),
                    Map.entry(
                            "DEFAULT.os_admin_project_domain_name",
                            "leasehold.openstack.project-domain"),
                    Map.entry("DEFAULT.os_region_name", "leasehold.openstack.region"),
                    Map.entry("nova.endpoint_type", "leasehold.openstack.interface"),
                    Map.entry(
                            "manager.minutes_before_end_lease",
                            "leasehold.gateway.minutes-before-end-lease"));

    /**
     * Names in the cloud that are fixed here, and must be the same in Blazar. Blazar also reads
     * some of them from a group that they had earlier.
     */
    private static final Map<String, String> FIXED_NAMES =
            Map.of(
                    "nova.aggregate_freepool_name", "freepool",
                    "physical:host.aggregate_freepool_name", "freepool",
                    "nova.blazar_owner", "blazar:owner",
                    "physical:host.blazar_owner", "blazar:owner",
                    "physical:host.blazar_az_prefix", "blazar_");

    private static final Map<String, String> PLUGIN_NAMES =
            Map.of(
                    "physical.host.plugin", "openstack-hosts",
                    "virtual.instance.plugin", "openstack-instances",
                    "flavor.instance.plugin", "openstack-flavors",
                    "virtual.floatingip.plugin", "openstack-floatingips");

    private static final List<String> KEYSTONE_SETTINGS =
            List.of("os_auth_protocol", "os_auth_host", "os_auth_port", "os_auth_prefix");

    /**
     * Parses a file in the format of Oslo's configuration.
     *
     * @throws IllegalArgumentException if Oslo would also reject a line
     */
    static BlazarConfigFile parse(List<String> lines) {
        Map<String, String> settings = new LinkedHashMap<>();
        String group = DEFAULT;
        String last = "";
        for (String line : lines) {
            String text = line.strip();
            if (text.isEmpty() || text.startsWith("#") || text.startsWith(";")) {
                continue;
            }
            if (Character.isWhitespace(line.charAt(0)) && !last.isEmpty()) {
                settings.merge(last, text, (before, more) -> before + " " + more);
            } else if (text.startsWith("[") && text.endsWith("]")) {
                group = group(text.substring(1, text.length() - 1));
            } else {
                Matcher setting = SETTING.matcher(text);
                if (!setting.matches()) {
                    // The message omits the line: it may be a password.
                    throw new IllegalArgumentException(
                            "In the group %s a line is neither a setting nor a comment"
                                    .formatted(group));
                }
                last = group + "." + setting.group(1).toLowerCase(Locale.ROOT);
                // Several values of one name form a list.
                settings.merge(
                        last,
                        withoutQuotes(setting.group(2)),
                        (before, more) -> before + "," + more);
            }
        }
        return new BlazarConfigFile(settings);
    }

    private static String group(String name) {
        return name.equalsIgnoreCase(DEFAULT) ? DEFAULT : name.toLowerCase(Locale.ROOT);
    }

    private static String withoutQuotes(String value) {
        Matcher quoted = QUOTED.matcher(value);
        return quoted.matches() ? quoted.group(2) : value;
    }

    /** Returns the meaning of {@code default} for a reservation's action before its end. */
    String beforeEnd() {
        return settings.getOrDefault(BEFORE_END, "");
    }

    /** Returns Leasehold's settings as lines of a properties file. */
    List<String> toLeaseholdSettings() {
        List<String> ours = new ArrayList<>(List.of("leasehold.authentication.method=keystone"));
        settings.forEach(
                (name, value) -> {
                    String same = UNCHANGED_SETTINGS.get(name);
                    if (same != null) {
                        ours.add(same + "=" + maskSecret(name, value));
                    }
                });
        find("cleaning_time")
                .ifPresent(m -> ours.add("leasehold.calendar.cleaning-time=" + m + "m"));
        if (KEYSTONE_SETTINGS.stream().anyMatch(name -> find(name).isPresent())) {
            ours.add("leasehold.openstack.auth-url=" + keystoneUrl());
        }
        plugins().stream()
                .filter(PLUGIN_NAMES::containsKey)
                .forEach(name -> ours.add(enablingSetting(PLUGIN_NAMES.getOrDefault(name, ""))));
        if (beforeEnd().equals("snapshot")) {
            ours.add("leasehold.plugins.openstack-hosts.before-end=snapshot");
        }
        ours.addAll(enforcement().toLeaseholdSettings());
        return ours;
    }

    private BlazarEnforcement enforcement() {
        return new BlazarEnforcement(settings);
    }

    /** Returns the setting that enables a plug-in. Hosts need an isolation to start. */
    private static String enablingSetting(String plugin) {
        return plugin.equals("openstack-hosts")
                ? "leasehold.plugins.openstack-hosts.isolation=filter"
                : "leasehold.plugins." + plugin + ".enabled=true";
    }

    private String keystoneUrl() {
        String prefix = find("os_auth_prefix").orElse("");
        return "%s://%s:%s%s/v3"
                .formatted(
                        find("os_auth_protocol").orElse("http"),
                        find("os_auth_host").orElse("127.0.0.1"),
                        find("os_auth_port").orElse("5000"),
                        prefix.isEmpty() || prefix.startsWith("/") ? prefix : "/" + prefix);
    }

    /** Reports settings without meaning here, and settings that prevent the import. */
    void addFindings(ImportPlan plan) {
        settings.forEach(
                (name, value) -> {
                    String fixed = FIXED_NAMES.get(name);
                    if (fixed != null && !fixed.equals(value)) {
                        plan.addObstacle(
                                "setting " + name,
                                "is %s: what it names is always called %s here"
                                        .formatted(value, fixed));
                    } else if (fixed == null && !isKnown(name)) {
                        plan.addOmission(
                                "setting " + name,
                                maskSecret(name, enforcement().unmappedPart(name, value)));
                    }
                });
        plugins().stream()
                .filter(name -> !PLUGIN_NAMES.containsKey(name))
                .forEach(name -> plan.addOmission("plugin " + name, "there is none such here"));
    }

    private boolean isKnown(String name) {
        return UNCHANGED_SETTINGS.containsKey(name)
                || name.equals("manager.plugins")
                || name.equals("DEFAULT.cleaning_time")
                || name.equals(BEFORE_END)
                || enforcement().isMapped(name)
                || KEYSTONE_SETTINGS.stream().anyMatch(each -> name.equals(DEFAULT + "." + each));
    }

    private List<String> plugins() {
        return list(settings.getOrDefault("manager.plugins", ""));
    }

    /** Returns the elements of a list; they are separated by commas, blanks or lines. */
    static List<String> list(String value) {
        return SEPARATOR.splitAsStream(value).filter(name -> !name.isEmpty()).toList();
    }

    private Optional<String> find(String name) {
        return Optional.ofNullable(settings.get(DEFAULT + "." + name));
    }

    private static String maskSecret(String name, String value) {
        return SECRET_NAME.matcher(name).matches() || CREDENTIAL_VALUE.matcher(value).matches()
                ? "…"
                : value;
    }
}
