package org.leasehold.gateway.api.page;

import io.swagger.v3.oas.annotations.Hidden;

import org.leasehold.gateway.api.problem.Problem;
import org.leasehold.gateway.api.problem.ProblemException;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.http.MediaTypeFactory;
import org.springframework.http.ResponseEntity;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The API documentation: Swagger UI, with the documents that this engine serves. */
@Hidden
@RestController
class DocumentationRoutes {

    /** Swagger UI sets styles and has images in its style sheet; all else comes from here. */
    private static final String CONTENT_SECURITY =
            "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:;"
                    + " frame-ancestors 'none'";

    private static final String INDEX = "docs.html";
    private static final List<String> OWN_FILES = List.of(INDEX, "docs.js");
    private static final List<String> SWAGGER_FILES =
            List.of("swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png");

    /** Found by the first request: the start of the engine does not search the class path. */
    private final SingletonSupplier<Map<String, Resource>> files =
            SingletonSupplier.of(DocumentationRoutes::findFiles);

    private static Map<String, Resource> findFiles() {
        Map<String, Resource> files = new HashMap<>();
        OWN_FILES.forEach(
                name -> files.put(name, new ClassPathResource(name, DocumentationRoutes.class)));
        SWAGGER_FILES.forEach(name -> files.put(name, findSwaggerFile(name)));
        return files;
    }

    /** The folder of the library's files has its version in the name. */
    private static Resource findSwaggerFile(String name) {
        try {
            Resource[] found =
                    new PathMatchingResourcePatternResolver()
                            .getResources(
                                    "classpath*:META-INF/resources/webjars/swagger-ui/*/" + name);
            if (found.length != 1) {
                throw new IllegalStateException(found.length + " files are named " + name);
            }
            return found[0];
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @GetMapping("/docs")
    ResponseEntity<Resource> index() {
        return file(INDEX);
    }

    @GetMapping("/docs/{file}")
    ResponseEntity<Resource> file(@PathVariable("file") String name) {
        Resource file = files.obtain().get(name);
        if (file == null) {
            throw new ProblemException(Problem.notFound("file"));
        }
        return ResponseEntity.ok()
                .cacheControl(CacheControl.maxAge(Duration.ofHours(1)))
                .header("Content-Security-Policy", CONTENT_SECURITY)
                .header("X-Content-Type-Options", "nosniff")
                .contentType(
                        MediaTypeFactory.getMediaType(file)
                                .orElse(MediaType.APPLICATION_OCTET_STREAM))
                .body(file);
    }
}
