package org.leasehold.resource.openstack;

import org.leasehold.resource.CloudCheck;
import org.leasehold.resource.CloudCheck.Misconfigured;
import org.leasehold.resource.CloudCheck.Passed;
import org.leasehold.resource.CloudCheck.Unanswered;
import org.leasehold.resource.RequiredRight;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

/** A builder of the list of rights that a plug-in needs in an OpenStack. */
public final class RequiredRights {

    /** The prefix of the names of all objects that a trial creates. */
    static final String PREFIX = "leasehold-check-";

    private final Cloud cloud;
    private final List<RequiredRight> rights = new ArrayList<>();

    public RequiredRights(Cloud cloud) {
        this.cloud = cloud;
    }

    /**
     * Adds a right that a query shows.
     *
     * @param what the permitted action, such as {@code list hypervisors}
     */
    public RequiredRights addQuery(String what, CloudRequest question) {
        return addQuery(question.service(), what, () -> cloud.rest().send(question));
    }

    /**
     * Adds a right that one or more queries show.
     *
     * @param question throws a {@link CloudFailure} if the right is missing
     */
    public RequiredRights addQuery(String service, String what, Runnable question) {
        rights.add(new RequiredRight(service + ": " + what, () -> checkQuery(service, question)));
        return this;
    }

    /**
     * Adds a right that only a change shows. Each trial uses a new name.
     *
     * @param make creates an object of the name
     * @param remove removes the object of the name if there is one. It is always called: the
     *     response to a request that took effect may have been lost
     */
    public RequiredRights addCreation(
            String service, String what, Consumer<String> make, Consumer<String> remove) {
        rights.add(
                new RequiredRight(
                        service + ": " + what, () -> checkCreation(service, make, remove)));
        return this;
    }

    public List<RequiredRight> all() {
        return List.copyOf(rights);
    }

    private static CloudCheck checkQuery(String service, Runnable question) {
        try {
            question.run();
            return Passed.withoutServices();
        } catch (CloudFailure failure) {
            return SettingsCheck.toCheckResult(service, failure);
        }
    }

    private static CloudCheck checkCreation(
            String service, Consumer<String> make, Consumer<String> remove) {
        String name = PREFIX + UUID.randomUUID();
        CloudCheck made;
        CloudCheck removed;
        try {
            made = checkQuery(service, () -> make.accept(name));
        } finally {
            removed = checkQuery(service, () -> remove.accept(name));
        }
        return removed instanceof Passed ? made : withCleanupHint(name, made, removed);
    }

    private static CloudCheck withCleanupHint(String name, CloudCheck made, CloudCheck removed) {
        String rest = "; if the cloud still has %s, delete it".formatted(name);
        return switch (made instanceof Passed ? removed : made) {
            case Passed passed -> passed;
            case Misconfigured(var reason, var cause) -> new Misconfigured(reason + rest, cause);
            case Unanswered(var reason, var cause) -> new Unanswered(reason + rest, cause);
        };
    }
}
