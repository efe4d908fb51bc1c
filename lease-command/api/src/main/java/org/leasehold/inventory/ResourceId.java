package org.leasehold.inventory;

/** Names a resource that can be leased. A positive number, because Blazar's host ids are digits. */
public record ResourceId(long value) implements Comparable<ResourceId> {

    public ResourceId {
        if (value <= 0) {
            throw new IllegalArgumentException("a resource id is positive: " + value);
        }
    }

    @Override
    public int compareTo(ResourceId other) {
        return Long.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }
}
