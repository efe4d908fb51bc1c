package org.leasehold.resource.openstack;

import org.leasehold.resource.Acting.Result;
import org.leasehold.resource.Acting.Survey;
import org.leasehold.resource.Petition;
import org.leasehold.resource.Petitioning;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Calls of an adapter's acting half, with failures as results. */
public final class CloudCall {

    private CloudCall() {}

    /** Runs a call; a failure of the cloud becomes its result. */
    public static Result done(Runnable call) {
        return made(
                () -> {
                    call.run();
                    return Map.of();
                });
    }

    /** Runs a call that returns the cloud's ids of what it made. */
    public static Result made(Supplier<Map<String, Object>> call) {
        try {
            return new Result.Done(call.get());
        } catch (CloudFailure failure) {
            return new Result.Failed(failure.fault());
        }
    }

    /** Searches for things with a lease tag. */
    public static Petitioning.Seen petitions(Supplier<List<Petition>> look) {
        try {
            return new Petitioning.Seen.All(look.get());
        } catch (CloudFailure failure) {
            return new Petitioning.Seen.Nothing(failure.fault());
        }
    }

    /** Reads what the cloud holds. */
    public static Survey survey(Supplier<Survey.Seen> look) {
        try {
            return look.get();
        } catch (CloudFailure failure) {
            return new Survey.Unseen(failure.fault());
        }
    }
}
