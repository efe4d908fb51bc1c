package org.leasehold.gateway.api.operation;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;

import org.leasehold.gateway.api.http.EventLogHeaders;
import org.leasehold.gateway.api.http.FullPageQuery;
import org.leasehold.gateway.api.http.NextPageLink;
import org.leasehold.gateway.api.problem.Problem;
import org.leasehold.gateway.api.problem.ProblemException;
import org.leasehold.gateway.api.resource.ResourceResponses.ReadModelList;
import org.leasehold.gateway.api.resource.ResourceResponses.ReadModelProgress;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.event.EventLogPositions;
import org.leasehold.readmodel.operation.ReadModels;
import org.leasehold.readmodel.operation.ReadModels.ReadModel;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Routes for operators that rebuild read models from the events, and show the progress. */
@RestController
@Tag(name = "operations")
class ReadModelRoutes {

    private static final String REBUILD_DESCRIPTION =
            "The old table answers until the new one replaces it. The rebuild continues after the"
                    + " response; list the read models to see its progress.";

    private final ReadModels readModels;
    private final EventLogPositions positions;

    ReadModelRoutes(ReadModels readModels, EventLogPositions positions) {
        this.readModels = readModels;
        this.positions = positions;
    }

    @Operation(
            operationId = "listReadModels",
            summary = "List read models and the progress of their rebuilds",
            description =
                    "By name. The progress is that of this node. The Link header with rel=next"
                            + " leads to the next page.")
    @GetMapping("/api/operations/read-models")
    ResponseEntity<ReadModelList> list(
            @NotNull @Valid FullPageQuery paging, HttpServletRequest request) {
        Page<ReadModelProgress> page =
                Page.ofAll(readModels.list(), ReadModel::name, paging.marker(), paging.limit())
                        .map(ReadModelProgress::of);
        return NextPageLink.response(request, page, ReadModelList::new);
    }

    @Operation(
            operationId = "rebuildReadModel",
            summary = "Rebuild a read model from the events",
            description = REBUILD_DESCRIPTION)
    @ApiResponse(responseCode = "202")
    @PostMapping("/api/operations/read-models/{name}/rebuild")
    ResponseEntity<ReadModelList> rebuild(@PathVariable("name") String name) {
        if (!readModelNames().contains(name)) {
            throw new ProblemException(Problem.notFound("read model"));
        }
        return rebuild(Set.of(name));
    }

    @Operation(
            operationId = "rebuildReadModels",
            summary = "Rebuild all read models from the events",
            description = "The rebuild reads the events once. " + REBUILD_DESCRIPTION)
    @ApiResponse(responseCode = "202")
    @PostMapping("/api/operations/read-models/rebuild")
    ResponseEntity<ReadModelList> rebuildAll() {
        return rebuild(readModelNames());
    }

    private Set<String> readModelNames() {
        return readModels.list().stream().map(ReadModel::name).collect(Collectors.toSet());
    }

    private ResponseEntity<ReadModelList> rebuild(Set<String> names) {
        if (!readModels.rebuild(names)) {
            throw new ProblemException(
                    Problem.of(409, "wrong-state", "A rebuild is running already."));
        }
        List<ReadModelProgress> all =
                readModels.list().stream().map(ReadModelProgress::of).toList();
        return ResponseEntity.accepted()
                .headers(EventLogHeaders.at(positions.last()))
                .body(new ReadModelList(all, null));
    }
}
