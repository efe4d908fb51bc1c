package org.leasehold.resource.openstack;

import org.leasehold.lease.Fault;
import org.leasehold.resource.CloudCheck;

import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Asks a cloud whether the settings fit it. Changes nothing there. */
public final class SettingsCheck {

    private static final String SETTINGS = "leasehold.openstack";

    private SettingsCheck() {}

    /**
     * Logs in, and looks for services in the catalog.
     *
     * @param services their types
     */
    public static CloudCheck of(Cloud cloud, String... services) {
        return of(cloud, List.of(services), Optional::empty);
    }

    /**
     * The same with a further question.
     *
     * @param misfit says, for everybody, what else does not fit; may ask the services
     */
    public static CloudCheck of(
            Cloud cloud, List<String> services, Supplier<Optional<String>> misfit) {
        try {
            cloud.rest().user();
        } catch (CloudFailure failure) {
            return isTemporary(failure)
                    ? new CloudCheck.Unanswered("Keystone does not answer", cause(failure))
                    : new CloudCheck.Misconfigured(login(failure.status()), cause(failure));
        }
        SortedMap<String, String> addresses = new TreeMap<>();
        for (String service : services) {
            try {
                addresses.put(service, cloud.rest().address(service).toString());
            } catch (CloudFailure lacking) {
                return isTemporary(lacking)
                        ? new CloudCheck.Unanswered("Keystone does not answer", cause(lacking))
                        : new CloudCheck.Misconfigured(absent(service), cause(lacking));
            }
        }
        try {
            return misfit.get()
                    .<CloudCheck>map(reason -> new CloudCheck.Misconfigured(reason, reason))
                    .orElseGet(() -> new CloudCheck.Passed(addresses));
        } catch (CloudFailure failure) {
            String names = String.join(", ", services);
            return isTemporary(failure)
                    ? new CloudCheck.Unanswered(
                            "The cloud's " + names + " does not answer", cause(failure))
                    : new CloudCheck.Misconfigured(denied(names, failure), cause(failure));
        }
    }

    private static String login(int status) {
        return status == 401 || status == 403
                ? "Keystone refuses the engine's login (%s): correct %s.user, .password, .project or their domains"
                        .formatted(status, SETTINGS)
                : "Keystone does not understand the engine's login (%s): correct %s.auth-url"
                        .formatted(status, SETTINGS);
    }

    private static String absent(String service) {
        return "The cloud's catalog has no %s: correct %s.region or .interface, or switch off what needs it"
                .formatted(service, SETTINGS);
    }

    private static String denied(String services, CloudFailure failure) {
        return "The cloud's %s refuses the engine's user (%s): give it the role admin in %s.project"
                .formatted(services, failure.status(), SETTINGS);
    }

    /** Whether it may pass without a change of the settings. */
    private static boolean isTemporary(CloudFailure failure) {
        Fault.Kind kind = failure.fault().kind();
        return kind != Fault.Kind.DENIED && kind != Fault.Kind.PERMANENT;
    }

    private static String cause(CloudFailure failure) {
        return failure.fault().message().replace("\n", ". ");
    }
}
