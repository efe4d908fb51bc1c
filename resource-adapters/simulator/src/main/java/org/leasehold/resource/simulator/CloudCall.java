package org.leasehold.resource.simulator;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.Fault;
import org.leasehold.lease.ReservationId;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Acting.Survey;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * One call of the plug-in. It consists of steps, each one request to the cloud and one transaction.
 * So a process that dies half-way leaves the same as in a real cloud.
 */
final class CloudCall {

    private final CloudStore store;
    private final String name;
    private final @Nullable ReservationId reservation;
    private final Acting.Fence fence;

    CloudCall(
            CloudStore store,
            String name,
            @Nullable ReservationId reservation,
            Acting.Fence fence) {
        this.store = store;
        this.name = name;
        this.reservation = reservation;
        this.fence = fence;
    }

    /** Reads what the cloud holds. */
    static Survey survey(CloudStore store, Supplier<Survey.Seen> look) {
        List<Survey.Seen> seen = new ArrayList<>(1);
        CloudCall call = new CloudCall(store, "survey", null, () -> true);
        return switch (call.perform(_ -> seen.add(look.get()))) {
            case Acting.Result.Done _ -> seen.getFirst();
            case Acting.Result.Failed(var fault) -> new Survey.Unseen(fault);
        };
    }

    /** Runs all steps of the call, and returns the result. */
    Acting.Result perform(Steps steps) {
        try {
            run(steps);
            return new Acting.Result.Done();
        } catch (CloudFailure failure) {
            return new Acting.Result.Failed(failure.fault());
        } catch (DataAccessException | TransactionException away) {
            return new Acting.Result.Failed(
                    new Fault(
                            Fault.Kind.RETRYABLE,
                            "The simulated cloud's store does not answer: " + away.getMessage()));
        }
    }

    private void run(Steps steps) {
        Behaviours.Encounter encounter = store.meet(name, null);
        encounter.before();
        steps.run(this);
        encounter.after();
    }

    /** Runs one step; logs it if it changed the cloud. */
    void step(String operation, @Nullable String host, CloudStore.Change change) {
        Behaviours.Encounter encounter = store.meet(name + "." + operation, host);
        encounter.before();
        store.change(operation, reservation, host, () -> fenced(change));
        encounter.after();
    }

    private int fenced(CloudStore.Change change) {
        if (!fence.holds()) {
            throw new CloudFailure(Fault.Kind.RETRYABLE, "Another process has finished this call");
        }
        return change.rows();
    }

    /** The steps of a call. */
    interface Steps {
        void run(CloudCall call);
    }
}
