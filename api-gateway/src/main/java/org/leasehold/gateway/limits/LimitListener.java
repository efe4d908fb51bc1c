package org.leasehold.gateway.limits;

/** Hears of each request that a limit refuses. */
@FunctionalInterface
public interface LimitListener {

    void refused(Limit limit);
}
