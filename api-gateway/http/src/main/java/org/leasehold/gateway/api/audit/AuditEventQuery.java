package org.leasehold.gateway.api.audit;

import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.event.EventTypeNames;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.web.bind.annotation.RequestParam;

import java.time.Instant;
import java.util.UUID;

/** The query parameters of a search for events by auditors. */
@ParameterObject
record AuditEventQuery(
        @RequestParam(name = "lease", required = false) @Nullable UUID lease,
        @RequestParam(name = "project", required = false) @Size(max = 255) @Nullable String project,
        @RequestParam(name = "user", required = false) @Size(max = 255) @Nullable String user,
        @RequestParam(name = "resource", required = false) @Min(1) @Nullable Long resource,
        @RequestParam(name = "host", required = false) @Size(max = 255) @Nullable String host,
        @RequestParam(name = "resource_name", required = false) @Size(max = 255)
                @Nullable String resourceName,
        @RequestParam(name = "kind", required = false) @Nullable String kind,
        @RequestParam(name = "type", required = false)
                @Pattern(regexp = EventTypeNames.NAME_PATTERN)
                @Nullable String type,
        @RequestParam(name = "request", required = false)
                @Pattern(regexp = AuditEventQuery.REQUEST_ID_PATTERN)
                @Nullable String request,
        @RequestParam(name = "address", required = false) @Nullable String address,
        @RequestParam(name = "from", required = false) @Nullable Instant from,
        @RequestParam(name = "to", required = false) @Nullable Instant to) {

    private static final String REQUEST_ID_PATTERN = "req-[0-9a-f-]{36}";
}
