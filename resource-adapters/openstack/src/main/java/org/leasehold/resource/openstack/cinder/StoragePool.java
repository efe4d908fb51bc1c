package org.leasehold.resource.openstack.cinder;

import tools.jackson.databind.JsonNode;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Optional;

/**
 * A pool in which Cinder's scheduler places volumes.
 *
 * @param backend its name in volume types
 * @param gib the room left for volumes that are filled completely; empty if unknown
 */
public record StoragePool(String backend, Optional<Long> gib) {

    private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

    static StoragePool of(JsonNode found) {
        JsonNode says = found.path("capabilities");
        return new StoragePool(says.path("volume_backend_name").asString(""), availableGib(says));
    }

    /**
     * Returns the GiB left. Thin pools accept more than they have, as long as it is not written. A
     * lease may be written in full. So neither room that is provisioned to others nor room that
     * they use is promised.
     */
    private static Optional<Long> availableGib(JsonNode says) {
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

    /** Parses a number. Some drivers report {@code infinite} or {@code unknown}, some use texts. */
    private static Optional<BigDecimal> number(JsonNode says, String name) {
        try {
            return Optional.of(new BigDecimal(says.path(name).asString("")));
        } catch (NumberFormatException none) {
            return Optional.empty();
        }
    }
}
