package org.leasehold.gateway.v1.lease;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Shortage;
import org.leasehold.command.CommandContext;
import org.leasehold.command.Commands;
import org.leasehold.command.Outcome;
import org.leasehold.gateway.command.CommandContextFactory;
import org.leasehold.gateway.command.LeaseSubmission;
import org.leasehold.gateway.request.header.EntityTags;
import org.leasehold.gateway.security.Caller;
import org.leasehold.gateway.security.CloudCallers;
import org.leasehold.gateway.v1.http.V1Body;
import org.leasehold.gateway.v1.http.V1Exception;
import org.leasehold.gateway.v1.http.V1Json;
import org.leasehold.gateway.v1.http.V1Problems;
import org.leasehold.lease.LeaseCommand.ChangeLease;
import org.leasehold.lease.LeaseCommand.DeleteLease;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.wire.blazar.LeaseRendering;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

@RestController
class LeaseEndpoints {

    private final Commands commands;
    private final LeaseSubmission submission;
    private final Leases leases;
    private final CommandContextFactory contexts;
    private final LeaseRequestParser requestParser;
    private final LeaseRendering rendering;
    private final CloudIdWait cloudIdWait;

    LeaseEndpoints(
            Commands commands,
            LeaseSubmission creation,
            Leases leases,
            CommandContextFactory contexts,
            LeaseRequestParser requests,
            LeaseRendering rendering,
            CloudIdWait ids) {
        this.commands = commands;
        this.submission = creation;
        this.leases = leases;
        this.contexts = contexts;
        this.requestParser = requests;
        this.rendering = rendering;
        this.cloudIdWait = ids;
    }

    @GetMapping("/v1/leases/{id}")
    ResponseEntity<byte[]> show(
            @AuthenticationPrincipal Caller caller, @PathVariable("id") String id) {
        return response(200, find(id, caller.readScope()));
    }

    @PostMapping("/v1/leases")
    ResponseEntity<byte[]> create(
            @AuthenticationPrincipal Caller caller, HttpServletRequest request) {
        CommandContext context = contexts.of(caller, request);
        LeaseId id = contexts.leaseIdFor(context);
        var lease =
                requestParser.parseCreate(
                        id,
                        V1Body.of(request),
                        caller,
                        CloudCallers.of(caller, request),
                        context.now());
        return switch (submission.create(lease, context, request)) {
            case Outcome.Accepted<LeaseRejection> done ->
                    response(
                            201,
                            cloudIdWait.awaitCloudIds(
                                    findWritten(id, caller.project()), context.now()));
            case Outcome.Refused<LeaseRejection> refused ->
                    throw shortageError(refused.shortages());
            case Outcome.Rejected<LeaseRejection> rejected ->
                    throw V1Problems.of(rejected.rejection());
        };
    }

    @PutMapping("/v1/leases/{id}")
    ResponseEntity<byte[]> change(
            @AuthenticationPrincipal Caller caller,
            @PathVariable("id") String id,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String match,
            HttpServletRequest request) {
        LeaseView lease = find(id, caller.writeScope());
        CommandContext context = context(caller, request, match, lease);
        ChangeLease change =
                requestParser.parseChange(
                        lease,
                        V1Body.of(request),
                        caller,
                        CloudCallers.of(caller, request, lease.projectId()),
                        context.now());
        if (change == null) {
            requireExpectedVersion(lease, context);
            return response(200, lease);
        }
        return switch (submission.change(change, lease, caller, context, request)) {
            case Outcome.Accepted<LeaseRejection> done ->
                    response(200, findWritten(lease.id(), caller.writeScope()));
            case Outcome.Refused<LeaseRejection> refused ->
                    throw shortageError(refused.shortages());
            case Outcome.Rejected<LeaseRejection> rejected ->
                    throw V1Problems.ofChange(rejected.rejection());
        };
    }

    @DeleteMapping("/v1/leases/{id}")
    ResponseEntity<Void> delete(
            @AuthenticationPrincipal Caller caller,
            @PathVariable("id") String id,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String match,
            HttpServletRequest request) {
        LeaseView lease = find(id, caller.writeScope());
        CommandContext context = context(caller, request, match, lease);
        return switch (commands.send(new DeleteLease(lease.id()), context)) {
            case Outcome.Accepted<LeaseRejection> done -> ResponseEntity.noContent().build();
            case Outcome.Refused<LeaseRejection> refused ->
                    throw shortageError(refused.shortages());
            case Outcome.Rejected<LeaseRejection> rejected ->
                    throw V1Problems.of(rejected.rejection());
        };
    }

    private CommandContext context(
            Caller caller, HttpServletRequest request, @Nullable String match, LeaseView lease) {
        return contexts.of(caller, request)
                .withExpectedVersions(EntityTags.acceptedVersions(match, request, lease));
    }

    /** Checks the version for a change without effect, which becomes no command. */
    private static void requireExpectedVersion(LeaseView lease, CommandContext context) {
        Set<Long> expected = context.expectedVersions();
        if (expected != null && !expected.contains(lease.version())) {
            throw V1Problems.of(new LeaseRejection.VersionMismatch(lease.id(), lease.version()));
        }
    }

    private V1Exception shortageError(List<Shortage> shortages) {
        return V1Problems.ofShortages(rendering.pluralOfShortResource(shortages), shortages);
    }

    private LeaseView find(String id, @Nullable ProjectId scope) {
        return parse(id)
                .flatMap(leaseId -> leases.find(leaseId, scope))
                .orElseThrow(() -> V1Exception.notFound("lease_id", id));
    }

    private LeaseView findWritten(LeaseId id, @Nullable ProjectId scope) {
        return leases.findWritten(id, scope)
                .orElseThrow(() -> V1Exception.notFound("lease_id", id.toString()));
    }

    private static Optional<LeaseId> parse(String id) {
        try {
            return Optional.of(new LeaseId(UUID.fromString(id)));
        } catch (IllegalArgumentException noUuid) {
            return Optional.empty();
        }
    }

    private ResponseEntity<byte[]> response(int status, LeaseView lease) {
        return V1Json.taggedResponse(
                EntityTags.of(lease), status, Map.of("lease", rendering.render(lease)));
    }
}
