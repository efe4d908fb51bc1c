package org.leasehold.gateway.api.audit;

import org.leasehold.command.CommandContext;
import org.leasehold.command.PrivilegedReadLog;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.UnknownMarker;
import org.leasehold.readmodel.audit.PrivilegedReads;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** Privileged reads in memory; a query returns all of them. */
public final class FakePrivilegedReads implements PrivilegedReadLog, PrivilegedReads {

    final BlockingQueue<PrivilegedRead> reads = new LinkedBlockingQueue<>();

    @Override
    public void record(Read read, CommandContext context) {
        reads.add(
                new PrivilegedRead(
                        context.now(),
                        context.now(),
                        1,
                        new UserId(Objects.requireNonNull(context.user())),
                        new ProjectId(Objects.requireNonNull(context.project())),
                        context.roles(),
                        read.rule(),
                        read.path(),
                        read.filter(),
                        context.reason(),
                        context.requestId(),
                        context.origin()));
    }

    @Override
    public Page<PrivilegedRead> list(ListReads query) {
        String marker = query.marker();
        if (marker != null) {
            throw new UnknownMarker(marker);
        }
        return new Page<>(List.copyOf(reads).reversed(), null);
    }
}
