package org.leasehold.inventory;

/**
 * A kind of reservation, Blazar's resource type, such as {@code physical:host}. It is a value, not
 * an enum, because a plug-in on the class path adds its own.
 */
public record ResourceKind(String value) {

    public static final ResourceKind PHYSICAL_HOST = new ResourceKind("physical:host");
    public static final ResourceKind FLOATING_IP = new ResourceKind("virtual:floatingip");

    /** A segment of the cloud's networks, with a network on it. */
    public static final ResourceKind NETWORK = new ResourceKind("virtual:network");

    /** The capacity for volumes of a volume type, in GiB. */
    public static final ResourceKind VOLUME = new ResourceKind("virtual:volume");

    /** The capacity of an availability zone for servers that projects have already. */
    public static final ResourceKind SERVER = new ResourceKind("virtual:server");

    /**
     * A Heat stack, which needs capacity of several kinds; also the capacity of an external
     * network's pool for the floating IPs of stacks.
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
