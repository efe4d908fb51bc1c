package org.leasehold.gateway.request.error;

/** The {@code WWW-Authenticate} header for callers who have not logged in. */
public record Challenge(String value) {

    public static final Challenge BASIC = new Challenge("Basic realm=\"leasehold\"");

    /** Returns the form that all services of OpenStack use. */
    public static Challenge keystone(String address) {
        return new Challenge("Keystone uri=\"" + address + "\"");
    }
}
