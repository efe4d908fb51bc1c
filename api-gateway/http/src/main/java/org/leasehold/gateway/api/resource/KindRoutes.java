package org.leasehold.gateway.api.resource;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;

import org.leasehold.gateway.api.resource.ResourceResponses.Kind;
import org.leasehold.gateway.api.resource.ResourceResponses.KindList;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
@Tag(name = "resources")
class KindRoutes {

    private final PluginFacade kinds;

    KindRoutes(PluginFacade kinds) {
        this.kinds = kinds;
    }

    @Operation(
            operationId = "listKinds",
            summary = "List kinds of resources",
            description =
                    "The kinds that the plug-ins of this engine provide.")
    @GetMapping("/api/kinds")
    KindList list() {
        return new KindList(kinds.kindNames().stream().map(Kind::new).toList());
    }
}
