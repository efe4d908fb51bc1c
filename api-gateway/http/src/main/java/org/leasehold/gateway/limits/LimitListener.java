package org.leasehold.gateway.limits;

/** A listener that is called for each request that a limit rejects. */
@FunctionalInterface
public interface LimitListener {

    void onRejected(Limit limit);
}
