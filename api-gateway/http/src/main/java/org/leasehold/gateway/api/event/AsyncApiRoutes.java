package org.leasehold.gateway.api.event;

import io.swagger.v3.oas.annotations.Hidden;

import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The description of the messages in Kafka, from which users generate consumers. */
@Hidden
@RestController
class AsyncApiRoutes {

    private final Resource document = new ClassPathResource("asyncapi.json", AsyncApiRoutes.class);

    @GetMapping(path = "/asyncapi.json", produces = MediaType.APPLICATION_JSON_VALUE)
    Resource document() {
        return document;
    }
}
