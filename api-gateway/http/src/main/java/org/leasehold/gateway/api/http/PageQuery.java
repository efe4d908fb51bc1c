package org.leasehold.gateway.api.http;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;

import org.jspecify.annotations.Nullable;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.web.bind.annotation.RequestParam;

/**
 * The query parameters of a page of a list.
 *
 * @param marker the end of the page before; null for the first page
 * @param limit the largest number of entries
 */
@ParameterObject
public record PageQuery(
        @RequestParam(name = "marker", required = false) @Nullable String marker,
        @RequestParam(name = "limit", defaultValue = "100") @Min(1) @Max(PageSize.MAX) int limit) {}
