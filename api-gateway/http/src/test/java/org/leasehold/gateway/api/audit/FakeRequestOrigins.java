package org.leasehold.gateway.api.audit;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.CommandContext;
import org.leasehold.command.RequestOrigins;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.UnknownMarker;
import org.leasehold.readmodel.audit.OriginErasures;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

/** Erases three requests' origins for every command, and returns the erasures. */
public final class FakeRequestOrigins implements RequestOrigins, OriginErasures {

    final List<OriginErasure> erasures = new CopyOnWriteArrayList<>();

    @Override
    public long erase(@Nullable String user, @Nullable Instant before, CommandContext context) {
        erasures.addFirst(
                new OriginErasure(
                        context.now(),
                        new UserId(Objects.requireNonNull(context.user())),
                        new ProjectId(Objects.requireNonNull(context.project())),
                        context.requestId(),
                        context.reason(),
                        user,
                        before,
                        3));
        return 3;
    }

    @Override
    public Page<OriginErasure> list(@Nullable String marker, int limit) {
        if (marker != null) {
            throw new UnknownMarker(marker);
        }
        return new Page<>(List.copyOf(erasures), null);
    }
}
