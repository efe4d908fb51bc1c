package org.leasehold.vocabulary;

/** The id of the OpenStack user who sent a request. Never blank. */
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
