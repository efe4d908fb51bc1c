package org.leasehold.resource;

import org.leasehold.lease.Fault;

import java.util.Map;

/** The load of resources. */
public sealed interface LoadResult {

    /**
     * The complete result.
     *
     * @param loads by the resource's name; nothing is known of those absent
     */
    record Known(Map<String, Load> loads) implements LoadResult {

        public Known {
            loads = Map.copyOf(loads);
        }
    }

    /** A failed query: the cloud did not respond. */
    record Unknown(Fault fault) implements LoadResult {}

    /**
     * The load of one resource.
     *
     * @param servers the number of servers, switched on or off
     * @param vcpus the sum of their vCPUs
     */
    record Load(int servers, int vcpus) {

        /** No load. */
        public static final Load NONE = new Load(0, 0);

        /** Returns the sum of two loads of the same resource. */
        public Load plus(Load other) {
            return new Load(servers + other.servers, vcpus + other.vcpus);
        }
    }
}
