package org.leasehold.gateway.api.operation;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;

import org.leasehold.gateway.api.operation.DriftResponses.DriftFound;
import org.leasehold.readmodel.operation.Drift;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Routes for operators about drift of the cloud. */
@RestController
@Tag(name = "operations")
class DriftRoutes {

    private final Drift drift;

    DriftRoutes(Drift drift) {
        this.drift = drift;
    }

    @Operation(
            operationId = "findDrift",
            summary = "Compare the cloud with the leases",
            description = "Takes as long as the cloud takes to answer. Changes nothing.")
    @GetMapping("/api/operations/drift")
    DriftFound find() {
        return DriftFound.of(drift.compare());
    }
}
