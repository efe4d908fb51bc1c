package org.leasehold.command.inventory;

import org.leasehold.vocabulary.LeaseId;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The constraints on a change of a resource; they stay the same until the command is over.
 *
 * @param nameTaken true if another enrolled resource of its kind has its name
 * @param reliances the leases that rely on it from now on, by start
 */
record ResourceConstraints(boolean nameTaken, List<Reliance> reliances) {

    ResourceConstraints {
        reliances = List.copyOf(reliances);
    }

    /**
     * A lease that holds the resource or will.
     *
     * @param properties the names of the properties by which the resource was chosen
     */
    record Reliance(LeaseId lease, Set<String> properties) {

        Reliance {
            properties = Collections.unmodifiableSet(new TreeSet<>(properties));
        }
    }

    /** Returns the leases that rely on the resource. */
    List<LeaseId> leases() {
        return reliances.stream().map(Reliance::lease).distinct().toList();
    }
}
