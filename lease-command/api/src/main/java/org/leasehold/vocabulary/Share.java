package org.leasehold.vocabulary;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * A part of a resource that other reservations may share at the same time.
 *
 * @param slots the number of equal slots; at least 1
 * @param needs the needs of each slot, by resource class, such as {@code VCPU}; at least one class
 */
public record Share(int slots, Map<String, Long> needs) {

    public Share {
        if (slots < 1 || needs.isEmpty() || needs.values().stream().anyMatch(need -> need < 0)) {
            throw new IllegalArgumentException("no share: " + slots + " of " + needs);
        }
        needs = Collections.unmodifiableMap(new TreeMap<>(needs));
    }
}
