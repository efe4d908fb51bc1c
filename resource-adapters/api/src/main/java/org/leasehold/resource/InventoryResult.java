package org.leasehold.resource;

import org.leasehold.inventory.Outage;
import org.leasehold.inventory.OutageExtent;
import org.leasehold.lease.Fault;

import java.util.Collections;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** The result of an inventory of enrolled resources. */
public sealed interface InventoryResult {

    /**
     * The complete result.
     *
     * @param outages why the cloud cannot provide some, by name; {@link OutageExtent#DOWN} only if
     *     the cloud is sure that the holder cannot use the resource at all now
     * @param found what an enrolment would read now, by name; for those absent the previous values
     *     stand
     * @param strays those neither in the pool of leasable resources nor in any reservation, by
     *     name: they were removed by hand
     * @param pooled those in the pool of leasable resources and in no reservation, by name; empty
     *     if the cloud does not say
     */
    record Known(
            Map<String, Outage> outages,
            Map<String, Acting.Discovery.Found> found,
            SortedSet<String> strays,
            SortedSet<String> pooled)
            implements InventoryResult {

        public Known {
            outages = Collections.unmodifiableMap(new TreeMap<>(outages));
            found = Collections.unmodifiableMap(new TreeMap<>(found));
            strays = Collections.unmodifiableSortedSet(new TreeSet<>(strays));
            pooled = Collections.unmodifiableSortedSet(new TreeSet<>(pooled));
        }

        /** Creates a result that says nothing about the pool. */
        public Known(
                Map<String, Outage> outages,
                Map<String, Acting.Discovery.Found> found,
                SortedSet<String> strays) {
            this(outages, found, strays, Collections.emptySortedSet());
        }

        /** Creates a result without strays, or for a cloud without a pool. */
        public Known(Map<String, Outage> outages, Map<String, Acting.Discovery.Found> found) {
            this(outages, found, Collections.emptySortedSet());
        }
    }

    /** A failed inventory: the cloud did not respond. */
    record Unknown(Fault fault) implements InventoryResult {}
}
