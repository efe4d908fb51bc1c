package org.leasehold.gateway.api.audit;

import org.leasehold.gateway.api.export.LongResponseLimiter;
import org.leasehold.readmodel.audit.AuditExport;

import java.io.IOException;
import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;

/**
 * Writes the visibility of each of its events. An export up to the second head waits for the test.
 * One up to the third fails after much output, and one up to the fourth at once.
 */
public final class FakeAuditExport implements AuditExport {

    private static final int MUCH = 100_000;

    final CountDownLatch begun = new CountDownLatch(LongResponseLimiter.MAX_CONCURRENT);
    final CountDownLatch goOn = new CountDownLatch(1);

    @Override
    public long lastHead() {
        return 5;
    }

    @Override
    public void write(long head, String installation, Discretion discretion, Lines lines)
            throws IOException {
        if (head == 4) {
            throw away();
        }
        lines.write(installation + " " + head);
        lines.write("lease " + discretion.of("Lease", "l", "{\"amount\": 9007199254740993}"));
        lines.write(
                "grant "
                        + discretion.of(
                                "Lease",
                                "l",
                                "{\"allocations\": [{\"resource\": 1, \"properties\": {}}]}"));
        lines.write(
                "stack "
                        + discretion.of(
                                "Lease",
                                "l",
                                """
                                {"parameters": {"template": {"parameters": {"p":
                                {"hidden": true}}}, "parameters": {"p": "secret"}}}
                                """));
        lines.write(
                "property "
                        + discretion.of(
                                "Property",
                                "physical:host/gpuModel",
                                "{\"property\": \"gpuModel\"}"));
        if (head == 2) {
            begun.countDown();
            await();
        }
        if (head == 3) {
            for (int i = 0; i < MUCH; i++) {
                lines.write("and so on");
            }
            throw away();
        }
    }

    private static RuntimeException away() {
        return new IllegalStateException(new SQLException("an I/O error", "08006"));
    }

    private void await() throws IOException {
        try {
            goOn.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }
}
