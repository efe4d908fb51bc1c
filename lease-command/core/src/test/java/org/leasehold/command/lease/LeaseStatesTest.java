package org.leasehold.command.lease;

import org.junit.jupiter.api.Test;
import org.leasehold.command.calendar.Grant;
import org.leasehold.command.journal.GoldenFile;
import org.leasehold.command.journal.RecordSamples;
import org.leasehold.lease.LeaseRejection.WrongStatus;

import java.util.List;

class LeaseStatesTest {

    @Test
    void a_rejection_names_a_state_by_a_fixed_name() {
        List<String> states =
                RecordSamples.members(Lease.class)
                        .map(type -> status((Lease) RecordSamples.of(type)))
                        .toList();

        GoldenFile.holds("/stored/lease-states.json", states);
    }

    private static String status(Lease lease) {
        Grant done = new Grant.Done();
        var rejected =
                (Decision.Rejected) SharedLeaseRules.wrongStatus(lease, "end").decide().apply(done);
        return ((WrongStatus) rejected.rejection()).status();
    }
}
