package org.leasehold.simulation;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.CommandContext;
import org.leasehold.command.CommandContext.Idempotency;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;

import java.time.Clock;
import java.util.List;
import java.util.Set;

/**
 * The contexts of the commands of projects and of the operator. Each context has a request id of
 * its own.
 */
final class CommandContexts {

    private final Clock clock;
    private long requests;

    CommandContexts(Clock clock) {
        this.clock = clock;
    }

    static ProjectId project(int number) {
        return new ProjectId("project-" + number);
    }

    static UserId user(int project) {
        return new UserId("user-of-" + project);
    }

    CommandContext ofMember(int project) {
        return ofMember(project, null, null);
    }

    CommandContext ofMember(int project, @Nullable Idempotency key, @Nullable Set<Long> versions) {
        requests++;
        return new CommandContext(
                        clock.instant(),
                        "req-" + requests,
                        user(project).value(),
                        project(project).value(),
                        List.of("member"),
                        "basic",
                        key)
                .withExpectedVersions(versions);
    }

    CommandContext ofOperator() {
        requests++;
        return new CommandContext(
                clock.instant(),
                "req-" + requests,
                "operator",
                "operations",
                List.of("admin"),
                "basic",
                null);
    }
}
