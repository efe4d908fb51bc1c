package org.leasehold.resource.openstack;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.Fault;
import org.leasehold.resource.CloudCheck;
import org.leasehold.resource.CloudCheck.FoundService;
import org.leasehold.resource.openstack.version.Microversion;
import org.leasehold.resource.openstack.version.MicroversionRange;
import org.leasehold.resource.openstack.version.NovaRelease;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A check whether the settings fit the cloud. It logs in, searches the catalog for services, and
 * compares their microversions with the necessary ones. Changes nothing in the cloud.
 */
public final class SettingsCheck {

    private static final String SETTINGS = "leasehold.openstack";
    private static final String COMPUTE = "compute";

    private final Cloud cloud;
    private final List<Need> needs = new ArrayList<>();
    private final List<Condition> conditions = new ArrayList<>();
    private final Map<String, Function<MicroversionRange, Optional<String>>> advisors =
            new TreeMap<>();

    public SettingsCheck(Cloud cloud) {
        this.cloud = cloud;
    }

    /**
     * A service that a plug-in uses.
     *
     * @param microversion the newest one that the plug-in uses; null if it uses none
     */
    private record Need(String service, @Nullable Microversion microversion, boolean optional) {}

    /** A further query to a service, which returns an error in the settings if it finds one. */
    private record Condition(String service, Supplier<Optional<String>> mismatch) {}

    /** Requires a service by its type. */
    public SettingsCheck require(String service) {
        needs.add(new Need(service, null, false));
        return this;
    }

    /** Requires a service by its type, with a microversion. */
    public SettingsCheck require(String service, String microversion) {
        needs.add(new Need(service, Microversion.of(microversion), false));
        return this;
    }

    /** Requires a microversion of a service if the catalog has the service. */
    public SettingsCheck requireIfPresent(String service, String microversion) {
        needs.add(new Need(service, Microversion.of(microversion), true));
        return this;
    }

    /**
     * Adds a further query to a service, which may find another error in the settings.
     *
     * @param mismatch returns the error as a text for every reader
     */
    public SettingsCheck rejectIf(String service, Supplier<Optional<String>> mismatch) {
        conditions.add(new Condition(service, mismatch));
        return this;
    }

    /** Adds advice for the operator that depends on the microversions of a service. */
    public SettingsCheck adviseOn(
            String service, Function<MicroversionRange, Optional<String>> advice) {
        advisors.put(service, advice);
        return this;
    }

    public CloudCheck run() {
        try {
            cloud.rest().userId();
        } catch (CloudFailure failure) {
            return describeLoginFailure(failure);
        }
        SortedMap<String, URI> addresses = new TreeMap<>();
        for (Need need : needs) {
            try {
                if (!need.optional() || cloud.rest().hasService(need.service())) {
                    addresses.put(need.service(), cloud.rest().address(need.service()));
                }
            } catch (CloudFailure lacking) {
                return isServiceMissing(lacking)
                        ? toCheckResult(need.service(), lacking)
                        : describeLoginFailure(lacking);
            }
        }
        SortedMap<String, MicroversionRange> ranges = readRanges(addresses);
        return findOldService(ranges)
                .or(this::findMismatch)
                .orElseGet(() -> describeServices(addresses, ranges));
    }

    private SortedMap<String, MicroversionRange> readRanges(SortedMap<String, URI> addresses) {
        SortedMap<String, MicroversionRange> ranges = new TreeMap<>();
        for (Need need : needs) {
            String service = need.service();
            if (need.microversion() != null && addresses.containsKey(service)) {
                readRange(service).ifPresent(range -> ranges.put(service, range));
            }
        }
        return ranges;
    }

    /** Returns the microversions of a service. A proxy may hide them, so it is no error. */
    private Optional<MicroversionRange> readRange(String service) {
        try {
            return MicroversionRange.parse(cloud.rest().versionDocument(service));
        } catch (CloudFailure unknown) {
            return Optional.empty();
        }
    }

    private Optional<CloudCheck> findOldService(SortedMap<String, MicroversionRange> ranges) {
        for (Need need : needs) {
            MicroversionRange found = ranges.get(need.service());
            Microversion needed = need.microversion();
            if (found != null && needed != null && found.newest().compareTo(needed) < 0) {
                return Optional.of(
                        toMisconfigured(
                                describeOldService(need.service(), needed, found.newest())));
            }
        }
        return Optional.empty();
    }

    private Optional<CloudCheck> findMismatch() {
        for (Condition condition : conditions) {
            try {
                Optional<String> reason = condition.mismatch().get();
                if (reason.isPresent()) {
                    return reason.map(SettingsCheck::toMisconfigured);
                }
            } catch (CloudFailure failure) {
                return Optional.of(toCheckResult(condition.service(), failure));
            }
        }
        return Optional.empty();
    }

    private static CloudCheck toMisconfigured(String reason) {
        return new CloudCheck.Misconfigured(reason, reason);
    }

    private CloudCheck describeServices(
            SortedMap<String, URI> addresses, SortedMap<String, MicroversionRange> ranges) {
        SortedMap<String, FoundService> services = new TreeMap<>();
        for (Need need : needs) {
            URI address = addresses.get(need.service());
            if (address != null) {
                String versions =
                        need.microversion() == null
                                ? ""
                                : describeVersions(need.service(), ranges.get(need.service()));
                services.put(need.service(), new FoundService(address.toString(), versions));
            }
        }
        List<String> advice = new ArrayList<>();
        advisors.forEach(
                (service, advisor) -> {
                    MicroversionRange found = ranges.get(service);
                    if (found != null) {
                        advisor.apply(found).ifPresent(advice::add);
                    }
                });
        return new CloudCheck.Passed(services, advice);
    }

    private static String describeVersions(String service, @Nullable MicroversionRange found) {
        if (found == null) {
            return "microversions unknown";
        }
        String release =
                service.equals(COMPUTE) ? ", release " + NovaRelease.nameOf(found.newest()) : "";
        return "microversions " + found + release;
    }

    private static String describeOldService(
            String service, Microversion needed, Microversion newest) {
        return "The cloud's %s is too old: it has microversion %s, and plug-ins need %s. Upgrade it, or switch off what needs it"
                .formatted(service, newest, needed);
    }

    /** Derives an error in the settings from the failure of a query to services. */
    static CloudCheck toCheckResult(String services, CloudFailure failure) {
        if (failure.fault().kind() == Fault.Kind.DENIED) {
            return new CloudCheck.Misconfigured(
                    describeDeniedAccess(services, failure), cause(failure));
        }
        if (isServiceMissing(failure)) {
            return new CloudCheck.Misconfigured(describeMissingService(services), cause(failure));
        }
        // A proxy whose service is down may respond with any status.
        return new CloudCheck.Unanswered(
                "The cloud's " + services + " does not answer as expected", cause(failure));
    }

    /** Returns whether the catalog lacks a service. */
    private static boolean isServiceMissing(CloudFailure failure) {
        return failure.fault().kind() == Fault.Kind.PERMANENT && !failure.isRefusal();
    }

    /** Returns the result for a failed login. A rejection counts also during its pause. */
    private static CloudCheck describeLoginFailure(CloudFailure failure) {
        return failure.isRefusal()
                ? new CloudCheck.Misconfigured(
                        describeLoginFailure(failure.status()), cause(failure))
                : new CloudCheck.Unanswered("Keystone does not answer", cause(failure));
    }

    private static String describeLoginFailure(int status) {
        return status == 401 || status == 403
                ? "Keystone refuses the engine's login (%s): correct %s.user, .password, .project or their domains"
                        .formatted(status, SETTINGS)
                : "Keystone does not understand the engine's login (%s): correct %s.auth-url"
                        .formatted(status, SETTINGS);
    }

    private static String describeMissingService(String service) {
        return "The cloud's catalog has no %s: correct %s.region or .interface, or switch off what needs it"
                .formatted(service, SETTINGS);
    }

    private static String describeDeniedAccess(String services, CloudFailure failure) {
        String status =
                failure.status() == CloudFailure.NO_ANSWER ? "" : " (" + failure.status() + ")";
        return "The cloud's %s refuses the engine's user%s: give it the role admin in %s.project"
                .formatted(services, status, SETTINGS);
    }

    private static String cause(CloudFailure failure) {
        return failure.fault().message().replace("\n", ". ");
    }
}
