package org.leasehold.gateway.api.usage;

import org.jspecify.annotations.Nullable;
import org.leasehold.readmodel.usage.Charge;
import org.leasehold.readmodel.usage.Charges.ListCharges;
import org.leasehold.readmodel.usage.FocusExport;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;

/**
 * Writes the query and the charge of a premium, and records the query. For {@link #SLOWLY} it waits
 * for the test. For project {@code broken} it fails after much output, and for {@code gone} at
 * once.
 */
public final class FakeFocusExport implements FocusExport {

    private static final int MUCH = 100_000;

    /** The start of the window of a slow export. */
    static final Instant SLOWLY = Instant.parse("2026-02-01T00:00:00Z");

    private volatile CountDownLatch begun = new CountDownLatch(0);
    private volatile CountDownLatch goOn = new CountDownLatch(0);

    private final List<ListCharges> questions = Collections.synchronizedList(new ArrayList<>());

    List<ListCharges> questions() {
        return questions;
    }

    /** Makes slow exports wait from now on. */
    void hold(int slow) {
        begun = new CountDownLatch(slow);
        goOn = new CountDownLatch(1);
    }

    /** Waits until that many have begun. */
    void awaitBegun() throws InterruptedException {
        begun.await();
    }

    void goOn() {
        goOn.countDown();
    }

    @Override
    public void write(
            @Nullable ListCharges question,
            String provider,
            UnaryOperator<Charge> seen,
            Appendable csv)
            throws IOException {
        String project =
                question == null || question.project() == null ? "" : question.project().value();
        if (project.equals("gone")) {
            throw away();
        }
        csv.append("columns of ").append(provider).append("\r\n");
        if (question == null) {
            return;
        }
        questions.add(question);
        Charge redacted = seen.apply(SampleCharges.premium("secretGpu", "V100"));
        csv.append("for ").append(String.valueOf(redacted.reason())).append("\r\n");
        if (question.from().equals(SLOWLY)) {
            begun.countDown();
            await();
        }
        if (project.equals("broken")) {
            for (int i = 0; i < MUCH; i++) {
                csv.append("and so on\r\n");
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
