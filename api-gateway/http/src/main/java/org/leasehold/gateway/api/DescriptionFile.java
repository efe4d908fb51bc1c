package org.leasehold.gateway.api;

import io.swagger.v3.core.util.Json31;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.media.Schema;

import org.springframework.core.io.ClassPathResource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.TreeMap;

/** A YAML file with a part of the OpenAPI document that no type defines. */
final class DescriptionFile {

    /**
     * SnakeYAML's lower default protects from foreign files; these repeat common parts by alias.
     */
    private static final int MAX_ALIASES = 1_000;

    private DescriptionFile() {}

    static OpenAPI read(String name) {
        LoaderOptions options = new LoaderOptions();
        options.setMaxAliasesForCollections(MAX_ALIASES);
        try (InputStream file =
                new ClassPathResource(name, DescriptionFile.class).getInputStream()) {
            Object document = new Yaml(new SafeConstructor(options)).load(file);
            return Json31.mapper().convertValue(document, OpenAPI.class);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /** Reads the schemas of a document, by name. */
    @SuppressWarnings("rawtypes")
    static Map<String, Schema<?>> schemas(Map<String, Object> written) {
        Map<String, Object> document =
                Map.of("openapi", "3.1.0", "components", Map.of("schemas", written));
        Map<String, Schema> read =
                Json31.mapper().convertValue(document, OpenAPI.class).getComponents().getSchemas();
        Map<String, Schema<?>> schemas = new TreeMap<>();
        read.forEach(schemas::put);
        return schemas;
    }
}
