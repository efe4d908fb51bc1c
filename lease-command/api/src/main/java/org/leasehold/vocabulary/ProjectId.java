package org.leasehold.vocabulary;

/** The id of the OpenStack project that owns a lease. Never blank. */
public record ProjectId(String value) {

    public ProjectId {
        if (value.isBlank()) {
            throw new IllegalArgumentException("a project id is never blank");
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
