package org.leasehold.runtime.moving;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Blazar's usage enforcement, and its meaning for Leasehold. Only the filter of the maximum
 * duration has one.
 *
 * @param settings all settings by group and name
 */
record BlazarEnforcement(Map<String, String> settings) {

    private static final String FILTERS = "enforcement.enabled_filters";
    private static final String MAX_DURATION = "enforcement.max_lease_duration";
    private static final String EXEMPT_PROJECTS =
            "enforcement.max_lease_duration_exempt_project_ids";

    private static final String DURATION_FILTER = "MaxLeaseDurationFilter";

    /** Blazar's value for no limit. */
    private static final String UNLIMITED = "-1";

    /** A number of seconds. With 0, Blazar permits no lease at all; here it is no limit. */
    private static final Pattern SECONDS = Pattern.compile("0*[1-9]\\d{0,9}");

    /** Returns Leasehold's settings as lines of a properties file. */
    List<String> toLeaseholdSettings() {
        List<String> ours = new ArrayList<>();
        String max = settings.getOrDefault(MAX_DURATION, UNLIMITED);
        if (isEnabled() && SECONDS.matcher(max).matches()) {
            ours.add("leasehold.lease.max-duration=" + max + "s");
            List<String> exempt = list(EXEMPT_PROJECTS);
            if (!exempt.isEmpty()) {
                ours.add("leasehold.lease.duration-exempt-projects=" + String.join(",", exempt));
            }
        }
        return ours;
    }

    /** Returns true if a setting is mapped as a whole, or has no effect in Blazar either. */
    boolean isMapped(String name) {
        return switch (name) {
            case FILTERS -> otherFilters().isEmpty();
            case MAX_DURATION -> isEnabled() && hasKnownMaximum();
            case EXEMPT_PROJECTS -> isEnabled();
            default -> false;
        };
    }

    /** Returns the part of a value that is not mapped. */
    String unmappedPart(String name, String value) {
        return name.equals(FILTERS) ? String.join(",", otherFilters()) : value;
    }

    private boolean isEnabled() {
        return list(FILTERS).contains(DURATION_FILTER);
    }

    private boolean hasKnownMaximum() {
        String max = settings.getOrDefault(MAX_DURATION, UNLIMITED);
        return max.equals(UNLIMITED) || SECONDS.matcher(max).matches();
    }

    private List<String> otherFilters() {
        return list(FILTERS).stream().filter(name -> !name.equals(DURATION_FILTER)).toList();
    }

    private List<String> list(String name) {
        return BlazarConfigFile.list(settings.getOrDefault(name, ""));
    }
}
