package org.leasehold.lease;

/** A trust of Keystone's, by which the engine acts as a user in their project. Never blank. */
public record TrustId(String value) {

    public TrustId {
        if (value.isBlank()) {
            throw new IllegalArgumentException("a trust id is never blank");
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
