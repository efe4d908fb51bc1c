package org.leasehold.resource.openstack.cinder;

import tools.jackson.databind.JsonNode;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Optional;

/**
 * Where Cinder's scheduler puts volumes.
 *
 * @param backend what types of volumes call it
 * @param gib what is left of it for volumes that are filled to the last byte; empty if it does not
 *     tell
 */
public record Pool(String backend, Optional<Long> gib) {

    private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

    static Pool of(JsonNode found) {
        JsonNode says = found.path("capabilities");
        return new Pool(says.path("volume_backend_name").asString(""), left(says));
    }

    /**
     * Thin pools take more than they have, as long as nobody writes it. What is leased can be
     * written: it is neither promised of what others have been given, nor of what they have used.
     */
    private static Optional<Long> left(JsonNode says) {
        Optional<BigDecimal> total = number(says, "total_capacity_gb");
        Optional<BigDecimal> free = number(says, "free_capacity_gb");
        if (total.isEmpty() || free.isEmpty()) {
            return Optional.empty();
        }
        BigDecimal given =
                number(says, "provisioned_capacity_gb")
                        .or(() -> number(says, "allocated_capacity_gb"))
                        .orElse(BigDecimal.ZERO);
        BigDecimal reserved =
                total.get()
                        .multiply(number(says, "reserved_percentage").orElse(BigDecimal.ZERO))
                        .divide(HUNDRED, RoundingMode.CEILING);
        BigDecimal left = free.get().min(total.get().subtract(given)).subtract(reserved);
        return Optional.of(left.max(BigDecimal.ZERO).setScale(0, RoundingMode.FLOOR).longValue());
    }

    /** Some drivers say {@code infinite} or {@code unknown}, and some write numbers as texts. */
    private static Optional<BigDecimal> number(JsonNode says, String name) {
        try {
            return Optional.of(new BigDecimal(says.path(name).asString("")));
        } catch (NumberFormatException none) {
            return Optional.empty();
        }
    }
}
