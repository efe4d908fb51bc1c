package org.leasehold.resource.simulator;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting;
import org.leasehold.resource.LossResult;
import org.leasehold.resource.Survey;
import org.leasehold.vocabulary.ReservationId;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * One call of the plug-in. It consists of steps, each one request to the cloud and one transaction.
 * So a process that dies half-way leaves the same as in a real cloud.
 */
public final class SimulatedCloudCall {

    private final CloudStore store;
    private final String name;
    private final @Nullable ReservationId reservation;
    private final Acting.Fence fence;

    public SimulatedCloudCall(
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
    public static Survey survey(CloudStore store, Supplier<Survey.Seen> look) {
        return read(store, "survey", look, Survey.Unseen::new);
    }

    /** Checks what reservations lack. */
    public static LossResult losses(CloudStore store, Supplier<LossResult.Known> look) {
        return read(store, "losses", look, LossResult.Unknown::new);
    }

    private static <T> T read(
            CloudStore store,
            String name,
            Supplier<? extends T> look,
            Function<Fault, ? extends T> failed) {
        List<T> seen = new ArrayList<>(1);
        SimulatedCloudCall call = new SimulatedCloudCall(store, name, null, () -> true);
        return switch (call.perform(_ -> seen.add(look.get()))) {
            case Acting.Result.Done _ -> seen.getFirst();
            case Acting.Result.Failed(var fault) -> failed.apply(fault);
        };
    }

    /** Runs all steps of the call, and returns the result. */
    public Acting.Result perform(Steps steps) {
        try {
            runSteps(steps);
            return new Acting.Result.Done();
        } catch (SimulatedCloudException failure) {
            return new Acting.Result.Failed(failure.fault());
        } catch (DataAccessException | TransactionException away) {
            return new Acting.Result.Failed(
                    new Fault(
                            Fault.Kind.RETRYABLE,
                            "The simulated cloud's store does not answer: " + away.getMessage()));
        }
    }

    private void runSteps(Steps steps) {
        BehaviorRuleTable.Encounter encounter = store.applyRules(name, null);
        encounter.beforeOperation();
        steps.run(this);
        encounter.afterOperation();
    }

    /** Runs one step; logs it if it changed the cloud. */
    public void step(String operation, @Nullable String host, CloudStore.Change change) {
        BehaviorRuleTable.Encounter encounter = store.applyRules(name + "." + operation, host);
        encounter.beforeOperation();
        store.change(operation, reservation, host, () -> executeFenced(change));
        encounter.afterOperation();
    }

    private int executeFenced(CloudStore.Change change) {
        if (!fence.isValid()) {
            throw new SimulatedCloudException(
                    Fault.Kind.RETRYABLE, "Another process has finished this call");
        }
        return change.execute();
    }

    /** The steps of a call. */
    public interface Steps {
        void run(SimulatedCloudCall call);
    }
}
