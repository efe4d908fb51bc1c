package org.leasehold.resource.stack;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What can be leased of an external network's pool of floating IPs. It is enrolled under the
 * network's id. The floating IPs that are leased as such are in no pool.
 *
 * @param addresses what the calendar may promise at any one time
 */
public record AddressPool(String network, long addresses) {

    /** The property that says which network it is. */
    public static final String NETWORK = "network_id";

    /** The resource class whose amount is in addresses, and the property that says how many. */
    public static final String ADDRESSES = "FLOATING_IP";

    /** What its enrolment learns of it. */
    public Map<String, @Nullable Object> attributes() {
        Map<String, @Nullable Object> attributes = new LinkedHashMap<>();
        attributes.put(NETWORK, network);
        attributes.put(ADDRESSES, addresses);
        return attributes;
    }
}
