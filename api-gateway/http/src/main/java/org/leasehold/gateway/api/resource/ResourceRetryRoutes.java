package org.leasehold.gateway.api.resource;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;

import jakarta.servlet.http.HttpServletRequest;

import org.leasehold.command.TaskRetries;
import org.leasehold.gateway.api.http.EventLogHeaders;
import org.leasehold.gateway.api.problem.Problem;
import org.leasehold.gateway.api.problem.ProblemException;
import org.leasehold.gateway.command.CommandContextFactory;
import org.leasehold.gateway.security.Caller;
import org.leasehold.inventory.ResourceId;
import org.leasehold.readmodel.event.EventLogPositions;
import org.leasehold.readmodel.resource.Resources;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Routes for operators to retry failed enrolments and removals of resources in the cloud. */
@RestController
@Tag(name = "operations")
class ResourceRetryRoutes {

    private final TaskRetries retries;
    private final Resources resources;
    private final EventLogPositions positions;
    private final CommandContextFactory contexts;

    ResourceRetryRoutes(
            TaskRetries retries,
            Resources resources,
            EventLogPositions positions,
            CommandContextFactory contexts) {
        this.retries = retries;
        this.resources = resources;
        this.positions = positions;
        this.contexts = contexts;
    }

    @Operation(
            operationId = "retryResource",
            summary = "Retry the failed actions of a resource",
            description = "Also for a resource that is retired, but still in the cloud's pool.")
    @ApiResponse(responseCode = "204")
    @PostMapping("/api/operations/resources/{id}/retry")
    ResponseEntity<Void> retry(
            @AuthenticationPrincipal Caller caller,
            @PathVariable("id") long id,
            HttpServletRequest request) {
        ResourceId resource =
                ResourceIds.of(id)
                        .orElseThrow(() -> new ProblemException(Problem.notFound("resource")));
        if (!retries.retry(resource, contexts.of(caller, request))) {
            throw new ProblemException(
                    resources.find(resource).isEmpty()
                            ? Problem.notFound("resource")
                            : Problem.of(409, "wrong-state", "Nothing fails for the resource."));
        }
        return ResponseEntity.noContent().headers(EventLogHeaders.at(positions.last())).build();
    }
}
