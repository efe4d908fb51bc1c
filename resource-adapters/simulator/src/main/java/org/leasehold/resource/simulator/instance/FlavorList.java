package org.leasehold.resource.simulator.instance;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.instance.Flavor;
import org.leasehold.vocabulary.ProjectId;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The flavors of the simulated cloud, as a text: {@code m1.tiny=1/512/1, own=2/1024/10@p1}. The
 * first flavor has one core, 512 MB of memory and a disk of 1 GB. Only the project {@code p1} may
 * use the second one. Their names are their ids.
 */
public record FlavorList(Map<String, Entry> byId) {

    private static final String SETTING = "flavors";
    private static final String DEFAULT_FLAVORS =
            "m1.tiny=1/512/1, m1.small=1/2048/20, m1.medium=2/4096/40, m1.large=4/8192/80,"
                    + " m1.xlarge=8/16384/160";

    private static final Pattern ENTRY_PATTERN =
            Pattern.compile(
                    "([A-Za-z0-9._-]{1,255})=([1-9]\\d{0,5})/([1-9]\\d{0,8})/(\\d{1,8})"
                            + "(?:@([^@\\s]+))?");

    /**
     * An entry of the list.
     *
     * @param project the only project that may use it; null for all
     */
    record Entry(Flavor flavor, @Nullable ProjectId project) {}

    /**
     * Removes the list from a plug-in's settings; returns the default flavors without one.
     *
     * @throws IllegalArgumentException if the list is invalid
     */
    public static FlavorList extractFrom(Map<String, String> settings) {
        String given = settings.remove(SETTING);
        return of(given == null ? DEFAULT_FLAVORS : given);
    }

    /**
     * Parses a list.
     *
     * @throws IllegalArgumentException if it is invalid
     */
    static FlavorList of(String text) {
        Map<String, Entry> byId = new LinkedHashMap<>();
        for (String each : text.split(",", -1)) {
            Matcher entry = ENTRY_PATTERN.matcher(each.strip());
            if (!entry.matches()) {
                throw new IllegalArgumentException(
                        "the setting flavors is a list such as m1.tiny=1/512/1, with cores, MB of"
                                + " memory and GB of disk, not "
                                + text);
            }
            String project = entry.group(5);
            byId.put(
                    entry.group(1),
                    new Entry(flavor(entry), project == null ? null : new ProjectId(project)));
        }
        return new FlavorList(byId);
    }

    private static Flavor flavor(Matcher entry) {
        return new Flavor(
                entry.group(1),
                entry.group(1),
                Integer.parseInt(entry.group(2)),
                Integer.parseInt(entry.group(3)),
                Integer.parseInt(entry.group(4)),
                0,
                0,
                Map.of());
    }

    public Optional<Flavor> find(String id, ProjectId project) {
        return Optional.ofNullable(byId.get(id))
                .filter(entry -> entry.project() == null || project.equals(entry.project()))
                .map(Entry::flavor);
    }
}
