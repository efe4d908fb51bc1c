package org.leasehold.inventory;

import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.StoredName;

import java.util.List;
import java.util.Set;

/** The reason why a command to a resource was rejected. */
public sealed interface ResourceRejection {

    @StoredName("ResourceNotFound")
    record ResourceNotFound(ResourceId resourceId) implements ResourceRejection {}

    /** A resource of the kind and name is enrolled already. */
    @StoredName("AlreadyEnrolled")
    record AlreadyEnrolled(ResourceKind kind, String name) implements ResourceRejection {}

    /** Current or future reservations chose the resource by these properties. */
    @StoredName("PropertiesReliedOn")
    record PropertiesReliedOn(ResourceId resourceId, Set<String> properties, List<LeaseId> leases)
            implements ResourceRejection {}

    /** Current or future leases rely on the resource. */
    @StoredName("ResourceReserved")
    record ResourceReserved(ResourceId resourceId, List<LeaseId> leases)
            implements ResourceRejection {}

    /** The name of a capability has 1 to 64 characters and is none of the resource's attributes. */
    @StoredName("InvalidCapability")
    record InvalidCapability(String name, String message) implements ResourceRejection {}

    /** The resource's state does not permit the command. */
    @StoredName("WrongState")
    record WrongState(ResourceId resourceId, String state, String asked)
            implements ResourceRejection {}

    /** The idempotency key was used for another request. */
    @StoredName("IdempotencyKeyReused")
    record IdempotencyKeyReused(String key) implements ResourceRejection {}
}
