package org.leasehold.gateway.api.operation;

import org.leasehold.readmodel.operation.DefaultLeases;

import java.util.List;

/** A report of default leases that a test sets. */
public final class FakeDefaultLeases implements DefaultLeases {

    private static final Report DRY_RUN = new Report(false, List.of(), List.of());

    private Report report = DRY_RUN;

    void report(Report newReport) {
        report = newReport;
    }

    void reset() {
        report = DRY_RUN;
    }

    @Override
    public Report report() {
        return report;
    }
}
