package org.leasehold.resource.openstack;

import org.leasehold.resource.Acting.Result;
import org.leasehold.resource.Acting.Survey;
import org.leasehold.resource.Petition;
import org.leasehold.resource.Petitioning;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** A call of an adapter's acting half. */
public final class CloudCall {

    private CloudCall() {}

    /** Does it; what the cloud answers instead is the call's result. */
    public static Result done(Runnable call) {
        return made(
                () -> {
                    call.run();
                    return Map.of();
                });
    }

    /** Does it, and tells what the cloud calls what it made. */
    public static Result made(Supplier<Map<String, Object>> call) {
        try {
            return new Result.Done(call.get());
        } catch (CloudFailure failure) {
            return new Result.Failed(failure.fault());
        }
    }

    /** Looks for things that ask to be leased. */
    public static Petitioning.Seen petitions(Supplier<List<Petition>> look) {
        try {
            return new Petitioning.Seen.All(look.get());
        } catch (CloudFailure failure) {
            return new Petitioning.Seen.Nothing(failure.fault());
        }
    }

    /** Looks at what the cloud holds. */
    public static Survey survey(Supplier<Survey.Seen> look) {
        try {
            return look.get();
        } catch (CloudFailure failure) {
            return new Survey.Unseen(failure.fault());
        }
    }
}
