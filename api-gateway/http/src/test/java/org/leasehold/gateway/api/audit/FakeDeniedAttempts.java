package org.leasehold.gateway.api.audit;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.CommandContext;
import org.leasehold.command.DenialLog;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.UnknownMarker;
import org.leasehold.readmodel.audit.DeniedAttempts;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** Stores denied attempts in memory; every query returns the newest one only. */
public final class FakeDeniedAttempts implements DenialLog, DeniedAttempts {

    final BlockingQueue<DeniedAttempt> attempts = new LinkedBlockingQueue<>();
    volatile @Nullable ListAttempts asked;

    @Override
    public void record(Why why, String rule, String target, CommandContext context) {
        attempts.add(
                new DeniedAttempt(
                        context.now(),
                        context.now(),
                        1,
                        new UserId(Objects.requireNonNull(context.user())),
                        new ProjectId(Objects.requireNonNull(context.project())),
                        context.roles(),
                        rule,
                        target,
                        why.name().toLowerCase(Locale.ROOT),
                        context.requestId(),
                        context.origin()));
    }

    @Override
    public Page<DeniedAttempt> list(ListAttempts question) {
        asked = question;
        String marker = question.marker();
        if (marker != null) {
            throw new UnknownMarker(marker);
        }
        return new Page<>(List.copyOf(attempts).reversed(), null);
    }
}
