package org.leasehold.gateway.api;

import io.swagger.v3.core.util.Json31;
import io.swagger.v3.oas.annotations.Hidden;
import io.swagger.v3.oas.models.OpenAPI;

import org.leasehold.gateway.security.AuthenticationSettings;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * The OpenAPI document of Blazar's API. A file defines it: its endpoints read and write JSON by
 * hand. It is a document of its own, so that clients generated from ours have no types of Blazar's.
 */
@Hidden
@RestController
class BlazarDescriptionRoutes {

    private final String document;

    BlazarDescriptionRoutes(AuthenticationSettings settings) {
        OpenAPI blazar = DescriptionFile.read("blazar.yaml");
        ReservationSchemas.filters().forEach(blazar.getComponents()::addSchemas);
        LoginScheme.addTo(blazar, settings.method());
        // The shared parts are in the document already, wherever the file refers to them.
        blazar.setExtensions(null);
        this.document = Json31.pretty(blazar);
    }

    @GetMapping(path = "/openapi-blazar.json", produces = MediaType.APPLICATION_JSON_VALUE)
    String document() {
        return document;
    }
}
