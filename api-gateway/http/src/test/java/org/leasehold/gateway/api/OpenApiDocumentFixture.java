package org.leasehold.gateway.api;

import org.leasehold.gateway.v1.InMemoryEngine;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

import tools.jackson.databind.JsonNode;

/** A server of the API, and the description that it serves. */
abstract class OpenApiDocumentFixture {

    @Autowired RequestMappingHandlerMapping requestMappingHandlerMapping;
    @Autowired InMemoryEngine engine;
    @LocalServerPort int port;

    ApiClient client() {
        return new ApiClient(new InMemoryApi(port, engine));
    }

    JsonNode served() {
        return OpenApiDocument.served(client());
    }
}
