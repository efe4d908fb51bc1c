package org.leasehold.gateway.request;

/** What whoever has not said who they are is told about how to. */
public record Challenge(String value) {

    static final Challenge BASIC = new Challenge("Basic realm=\"leasehold\"");

    /** As all of OpenStack's services have it. */
    public static Challenge keystone(String address) {
        return new Challenge("Keystone uri=\"" + address + "\"");
    }
}
