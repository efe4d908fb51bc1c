package org.leasehold.resource.stack;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The leasable floating IPs of an external network. The pool is enrolled under the network's id.
 * Floating IPs that are leased one by one are in no pool.
 *
 * @param addresses the most that the calendar may promise at any one time
 */
public record AddressPool(String network, long addresses) {

    /** The property that holds the network's id. */
    public static final String NETWORK = "network_id";

    /** The resource class that counts addresses, and the property that holds their number. */
    public static final String ADDRESSES = "FLOATING_IP";

    /** Returns the properties that its enrolment stores. */
    public Map<String, @Nullable Object> attributes() {
        Map<String, @Nullable Object> attributes = new LinkedHashMap<>();
        attributes.put(NETWORK, network);
        attributes.put(ADDRESSES, addresses);
        return attributes;
    }
}
