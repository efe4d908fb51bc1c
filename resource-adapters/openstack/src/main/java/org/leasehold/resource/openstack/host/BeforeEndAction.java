package org.leasehold.resource.openstack.host;

import org.jspecify.annotations.Nullable;

/** What happens to the servers of a reservation of hosts when its end is announced. */
enum BeforeEndAction {
    /** Nothing. */
    NONE,
    /** An image is made of each server. */
    SNAPSHOT;

    /** The value of the parameter that stands for the operator's choice. */
    private static final String DEFAULT = "default";

    /**
     * Returns the operator's choice.
     *
     * @throws IllegalArgumentException if the value is unknown
     */
    static BeforeEndAction ofSetting(String value) {
        return switch (value) {
            case "none" -> NONE;
            case "snapshot" -> SNAPSHOT;
            default ->
                    throw new IllegalArgumentException(
                            "the setting before-end is none or snapshot, not " + value);
        };
    }

    /**
     * Returns the action of a reservation.
     *
     * @param parameter the reservation's value; null and unknown values have no action
     * @param ofDefault the meaning of {@code default}
     */
    static BeforeEndAction of(@Nullable Object parameter, BeforeEndAction ofDefault) {
        if (DEFAULT.equals(parameter)) {
            return ofDefault;
        }
        return "snapshot".equals(parameter) ? SNAPSHOT : NONE;
    }
}
