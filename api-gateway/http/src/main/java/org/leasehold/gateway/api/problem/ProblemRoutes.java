package org.leasehold.gateway.api.problem;

import io.swagger.v3.oas.annotations.Hidden;

import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.support.PropertiesLoaderUtils;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Properties;

/** Pages about the types of problems: a type is the address of its page. */
@Hidden
@RestController
class ProblemRoutes {

    private static final MediaType TEXT = new MediaType("text", "plain", StandardCharsets.UTF_8);

    private final Properties descriptions;

    ProblemRoutes() {
        try {
            descriptions =
                    PropertiesLoaderUtils.loadProperties(
                            new ClassPathResource("problems.properties", ProblemRoutes.class));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @GetMapping("/problems/{name}")
    ResponseEntity<byte[]> show(@PathVariable("name") String name) {
        String meaning = descriptions.getProperty(name);
        if (meaning == null) {
            throw new ProblemException(Problem.notFound("type of problems"));
        }
        String page = "%s\n\n%s\n".formatted(Problem.titleOf(name), meaning);
        return ResponseEntity.ok().contentType(TEXT).body(page.getBytes(StandardCharsets.UTF_8));
    }
}
