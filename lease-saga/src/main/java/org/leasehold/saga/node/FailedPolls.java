package org.leasehold.saga.node;

import org.leasehold.inventory.ResourceKind;

/** A recorder of the polls that the cloud did not answer. The next poll tries again. */
public interface FailedPolls {

    FailedPolls NONE = (_, _) -> {};

    /** The purpose of a poll. */
    enum Purpose {
        INVENTORY("inventory"),
        LOSSES("losses"),
        USE("use"),
        LEASE_TAGS("lease_tags"),
        DEFAULT_LEASES("default_leases");

        private final String label;

        Purpose(String label) {
            this.label = label;
        }

        /** Returns the value in metrics. */
        public String label() {
            return label;
        }
    }

    /** Records a failed poll of this node. */
    void record(Purpose purpose, ResourceKind kind);
}
