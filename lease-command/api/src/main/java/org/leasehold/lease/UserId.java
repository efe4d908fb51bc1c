package org.leasehold.lease;

/** The OpenStack user who asked for something. Never blank. */
public record UserId(String value) {

    public UserId {
        if (value.isBlank()) {
            throw new IllegalArgumentException("a user id is never blank");
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
