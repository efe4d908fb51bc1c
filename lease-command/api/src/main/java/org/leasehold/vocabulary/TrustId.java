package org.leasehold.vocabulary;

/** The id of a Keystone trust, the engine's right to act for a user in a project. Never blank. */
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
