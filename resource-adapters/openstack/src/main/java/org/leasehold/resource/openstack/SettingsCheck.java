package org.leasehold.resource.openstack;

import org.leasehold.lease.Fault;
import org.leasehold.resource.CloudCheck;

import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/** A check whether the settings fit the cloud. Changes nothing there. */
public final class SettingsCheck {

    private static final String SETTINGS = "leasehold.openstack";

    private SettingsCheck() {}

    /**
     * Logs in, and searches the catalog for services.
     *
     * @param services their types
     */
    public static CloudCheck of(Cloud cloud, String... services) {
        return of(cloud, List.of(services), Optional::empty);
    }

    /**
     * Does the same, with a further query.
     *
     * @param misfit returns another error in the settings, for every reader; may query the services
     */
    public static CloudCheck of(
            Cloud cloud, List<String> services, Supplier<Optional<String>> misfit) {
        try {
            cloud.rest().userId();
        } catch (CloudFailure failure) {
            return describeLoginFailure(failure);
        }
        SortedMap<String, String> addresses = new TreeMap<>();
        for (String service : services) {
            try {
                addresses.put(service, cloud.rest().address(service).toString());
            } catch (CloudFailure lacking) {
                return isServiceMissing(lacking)
                        ? toCheckResult(service, lacking)
                        : describeLoginFailure(lacking);
            }
        }
        try {
            return misfit.get()
                    .<CloudCheck>map(reason -> new CloudCheck.Misconfigured(reason, reason))
                    .orElseGet(() -> new CloudCheck.Passed(addresses));
        } catch (CloudFailure failure) {
            return toCheckResult(String.join(", ", services), failure);
        }
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
