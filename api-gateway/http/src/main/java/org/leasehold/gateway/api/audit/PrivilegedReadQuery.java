package org.leasehold.gateway.api.audit;

import jakarta.validation.constraints.Size;

import org.jspecify.annotations.Nullable;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.web.bind.annotation.RequestParam;

import java.time.Instant;

/** The query parameters that select privileged reads. */
@ParameterObject
record PrivilegedReadQuery(
        @RequestParam(name = "user", required = false) @Size(max = 255) @Nullable String user,
        @RequestParam(name = "project", required = false) @Size(max = 255) @Nullable String project,
        @RequestParam(name = "action", required = false) @Size(max = 255) @Nullable String action,
        @RequestParam(name = "filter", required = false) @Size(max = 255) @Nullable String filter,
        @RequestParam(name = "from", required = false) @Nullable Instant from,
        @RequestParam(name = "to", required = false) @Nullable Instant to) {}
