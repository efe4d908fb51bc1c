package org.leasehold.gateway.api;

import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.info.Info;
import io.swagger.v3.oas.models.servers.Server;

import org.springdoc.core.customizers.GlobalOpenApiCustomizer;

import java.util.List;

/** Says of the API what its types do not. */
final class ApiDescription implements GlobalOpenApiCustomizer {

    @Override
    public void customise(OpenAPI api) {
        api.setInfo(new Info().title("Leasehold").version("1"));
        api.setServers(List.of(new Server().url("/")));
    }
}
