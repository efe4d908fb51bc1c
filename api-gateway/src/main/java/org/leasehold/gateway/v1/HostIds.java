package org.leasehold.gateway.v1;

import org.leasehold.inventory.ResourceId;

import java.util.Optional;
import java.util.regex.Pattern;

/** Host ids on the wire: digits. */
final class HostIds {

    private static final Pattern DIGITS = Pattern.compile("0*[1-9][0-9]{0,17}");

    private HostIds() {}

    static Optional<ResourceId> parse(String text) {
        return DIGITS.matcher(text).matches()
                ? Optional.of(new ResourceId(Long.parseLong(text)))
                : Optional.empty();
    }
}
