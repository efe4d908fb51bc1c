package org.leasehold.saga.fakes;

import org.leasehold.lease.ReservationId;
import org.leasehold.saga.Cause;
import org.leasehold.saga.task.PluginTask;
import org.leasehold.saga.task.Tasks;

import java.util.ArrayList;
import java.util.List;

/** Keeps what is submitted, and does nothing of it. */
public final class FakeTasks implements Tasks {

    private final List<PluginTask> submitted = new ArrayList<>();
    private int hastened;

    @Override
    public void submit(PluginTask task, Cause cause) {
        submitted.add(task);
    }

    @Override
    public void withdraw(ReservationId reservation) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void hasten() {
        hastened++;
    }

    public List<PluginTask> submitted() {
        return List.copyOf(submitted);
    }

    /** How often all that failed was hastened. */
    public int hastened() {
        return hastened;
    }
}
