package org.leasehold.saga.fakes;

import org.leasehold.inventory.ResourceKind;
import org.leasehold.saga.node.FailedPolls;

import java.util.ArrayList;
import java.util.List;

/** Failed polls in memory, each as its purpose and kind. */
public final class FakeFailedPolls implements FailedPolls {

    private final List<String> polls = new ArrayList<>();

    @Override
    public void record(Purpose purpose, ResourceKind kind) {
        polls.add(purpose.label() + " " + kind.value());
    }

    /** Returns all failed polls, oldest first. */
    public List<String> polls() {
        return polls;
    }
}
