package org.leasehold.gateway.api.me;

import org.jspecify.annotations.Nullable;
import org.leasehold.readmodel.usage.Charges.ApplicablePlan;

import java.time.Instant;
import java.util.List;

/** Responses about the caller. */
public final class MeResponses {

    private MeResponses() {}

    /**
     * The caller, and the engine as the caller can use it.
     *
     * @param projectId null if the caller's token is for the whole system
     * @param roles as they were given, without the implied ones
     * @param actions the names of the policies that permit the caller something
     * @param login the method of the login, such as {@code basic}
     * @param pricePlans the plan in force, and later ones
     */
    record Me(
            String userId,
            String userName,
            @Nullable String projectId,
            @Nullable String projectName,
            List<String> roles,
            List<String> actions,
            String login,
            List<String> kinds,
            List<PlanName> pricePlans,
            ClientLimits limits,
            String version,
            boolean simulated,
            Instant now) {}

    /** The name of a price plan, and the time from which it is in force. */
    record PlanName(String name, String currency, Instant from) {

        static PlanName of(ApplicablePlan plan) {
            return new PlanName(plan.name(), plan.currency().getCurrencyCode(), plan.from());
        }
    }

    /**
     * The limits that a client can meet.
     *
     * @param requestsPerSecond 0 for any number
     * @param requestBurst how many requests may come at once after a time without requests
     * @param requestsAtOnce how many requests of a caller are served at the same time
     * @param bodyBytes the largest body
     * @param templateBodyBytes the largest body with reservations
     * @param pageEntries the most entries of a page
     * @param leasesPerProject unfinished ones; 0 for any number
     * @param valuesPerProperty the most values of a property in a list of properties
     */
    record ClientLimits(
            int requestsPerSecond,
            int requestBurst,
            int requestsAtOnce,
            long bodyBytes,
            long templateBodyBytes,
            int pageEntries,
            int reservationsPerLease,
            long leasesPerProject,
            int webhooksPerProject,
            int valuesPerProperty) {}
}
