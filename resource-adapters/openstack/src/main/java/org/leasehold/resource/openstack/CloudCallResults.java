package org.leasehold.resource.openstack;

import org.leasehold.resource.Acting.Losses;
import org.leasehold.resource.Acting.Result;
import org.leasehold.resource.Acting.Survey;
import org.leasehold.resource.LeaseTagSource;
import org.leasehold.resource.TaggedObject;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Calls of an adapter's acting half, with failures as results. */
public final class CloudCallResults {

    private CloudCallResults() {}

    /** Runs a call; a failure of the cloud becomes its result. */
    public static Result resultOf(Runnable call) {
        return resultWithIds(
                () -> {
                    call.run();
                    return Map.of();
                });
    }

    /** Runs a call that returns the cloud's ids of what it made. */
    public static Result resultWithIds(Supplier<Map<String, Object>> call) {
        try {
            return new Result.Done(call.get());
        } catch (CloudFailure failure) {
            return new Result.Failed(failure.fault());
        }
    }

    /** Searches for things with a lease tag. */
    public static LeaseTagSource.Seen findTaggedObjects(Supplier<List<TaggedObject>> look) {
        try {
            return new LeaseTagSource.Seen.All(look.get());
        } catch (CloudFailure failure) {
            return new LeaseTagSource.Seen.Unknown(failure.fault());
        }
    }

    /** Checks what reservations lack. */
    public static Losses losses(Supplier<Losses.Known> look) {
        try {
            return look.get();
        } catch (CloudFailure failure) {
            return new Losses.Unknown(failure.fault());
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
