package org.leasehold.saga.fakes;

import org.leasehold.saga.Cause;
import org.leasehold.saga.task.PluginTask;
import org.leasehold.saga.task.TaskQueue;
import org.leasehold.vocabulary.ReservationId;

import java.util.ArrayList;
import java.util.List;

/** A fake that stores submitted tasks, and runs none. */
public final class FakeTaskQueue implements TaskQueue {

    private final List<PluginTask> submitted = new ArrayList<>();
    private int hastened;
    private boolean busy;

    @Override
    public void submit(PluginTask task, Cause cause) {
        submitted.add(task);
    }

    @Override
    public void withdraw(ReservationId reservation) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean isBusy(ReservationId reservation) {
        return busy;
    }

    /** Sets whether reservations have unfinished tasks. */
    public void busy(boolean now) {
        busy = now;
    }

    @Override
    public void retryNow() {
        hastened++;
    }

    public List<PluginTask> submitted() {
        return List.copyOf(submitted);
    }

    /** Returns how often all failed tasks were hastened. */
    public int hastened() {
        return hastened;
    }
}
