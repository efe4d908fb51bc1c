package org.leasehold.resource.openstack;

import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting.Result;
import org.leasehold.resource.ContainedServerSource;
import org.leasehold.resource.DefaultLeaseSource;
import org.leasehold.resource.LeasableObject;
import org.leasehold.resource.LeaseTagSource;
import org.leasehold.resource.LeaseTaggedObject;
import org.leasehold.resource.LossResult;
import org.leasehold.resource.Survey;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
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
        return read(() -> new Result.Done(call.get()), Result.Failed::new);
    }

    /** Searches for things with a lease tag. */
    public static LeaseTagSource.Seen findTaggedObjects(Supplier<List<LeaseTaggedObject>> look) {
        return read(
                () -> new LeaseTagSource.Seen.All(look.get()), LeaseTagSource.Seen.Unknown::new);
    }

    /** Lists objects that can get a default lease. */
    public static DefaultLeaseSource.Listing listLeasable(Supplier<List<LeasableObject>> look) {
        return read(
                () -> new DefaultLeaseSource.Listing.All(look.get()),
                DefaultLeaseSource.Listing.Unknown::new);
    }

    /** Lists the servers in a reservation. */
    public static ContainedServerSource.Listing listContained(Supplier<Set<String>> look) {
        return read(
                () -> new ContainedServerSource.Listing.All(look.get()),
                ContainedServerSource.Listing.Unknown::new);
    }

    /** Checks what reservations lack. */
    public static LossResult losses(Supplier<LossResult.Known> look) {
        return read(look, LossResult.Unknown::new);
    }

    /** Reads what the cloud holds. */
    public static Survey survey(Supplier<Survey.Seen> look) {
        return read(look, Survey.Unseen::new);
    }

    private static <T> T read(Supplier<? extends T> look, Function<Fault, ? extends T> failed) {
        try {
            return look.get();
        } catch (CloudFailure failure) {
            return failed.apply(failure.fault());
        }
    }
}
