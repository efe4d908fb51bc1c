package org.leasehold.inventory;

/**
 * A resource type in Blazar's terms, such as {@code physical:host}. A value, not an enum: a plugin
 * on the class path makes a new one.
 */
public record ResourceKind(String value) {

    public static final ResourceKind PHYSICAL_HOST = new ResourceKind("physical:host");
    public static final ResourceKind FLOATING_IP = new ResourceKind("virtual:floatingip");

    /** A segment of the cloud's networks, with a network on it. */
    public static final ResourceKind NETWORK = new ResourceKind("virtual:network");

    /** What there is room for of a type of volumes, in GiB. */
    public static final ResourceKind VOLUME = new ResourceKind("virtual:volume");

    /** What an availability zone has room for, of servers that projects have already. */
    public static final ResourceKind SERVER = new ResourceKind("virtual:server");

    /**
     * A stack of Heat's, which needs room of several kinds; and what the pool of an external
     * network has, of the floating IPs of stacks.
     */
    public static final ResourceKind STACK = new ResourceKind("virtual:stack");

    /** Slots of a server's size on physical hosts. */
    public static final ResourceKind VIRTUAL_INSTANCE = new ResourceKind("virtual:instance");

    /** Slots of a flavor's size on physical hosts. */
    public static final ResourceKind FLAVOR_INSTANCE = new ResourceKind("flavor:instance");

    public ResourceKind {
        if (value.isBlank()) {
            throw new IllegalArgumentException("a resource kind is never blank");
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
