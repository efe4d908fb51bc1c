package org.leasehold.topic;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * The response of the engine to {@code GET /api/events/numbers}: the numbers that exist at least.
 *
 * @param position the position of the last counted event
 * @param ofProjects each project's last number, from 1; {@code -} for events without a project
 */
record ExpectedEventNumbers(long position, Map<String, Long> ofProjects) {

    private static final JsonFactory JSON = new JsonFactory();

    ExpectedEventNumbers {
        ofProjects = Map.copyOf(ofProjects);
    }

    /**
     * Reads a response.
     *
     * @throws IOException if the file cannot be read
     * @throws IllegalArgumentException if it is no such response, or incomplete; says why
     */
    static ExpectedEventNumbers read(Path file) throws IOException {
        try (InputStream bytes = Files.newInputStream(file);
                JsonParser json = JSON.createParser(ObjectReadContext.empty(), bytes)) {
            json.nextToken();
            ExpectedEventNumbers answer = parseResponse(json);
            if (json.nextToken() != null) {
                throw new IllegalArgumentException("something follows it");
            }
            return answer;
        } catch (JacksonException e) {
            throw new IllegalArgumentException(e.getOriginalMessage(), e);
        }
    }

    private static ExpectedEventNumbers parseResponse(JsonParser json) {
        require(json, JsonToken.START_OBJECT, "it is no object");
        long position = -1;
        Map<String, Long> ofProjects = null;
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = json.currentName();
            json.nextToken();
            switch (name) {
                case "position" -> position = parseNumber(json, name, 0);
                case "projects" -> ofProjects = parseProjects(json);
                default -> json.skipChildren();
            }
        }
        if (position < 0 || ofProjects == null) {
            throw new IllegalArgumentException("position or projects is missing");
        }
        return new ExpectedEventNumbers(position, ofProjects);
    }

    private static Map<String, Long> parseProjects(JsonParser json) {
        require(json, JsonToken.START_ARRAY, "projects is no list");
        Map<String, Long> ofProjects = new HashMap<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            parseProject(json, ofProjects);
        }
        return ofProjects;
    }

    private static void parseProject(JsonParser json, Map<String, Long> ofProjects) {
        require(json, JsonToken.START_OBJECT, "a project is no object");
        String project = null;
        long last = 0;
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = json.currentName();
            json.nextToken();
            switch (name) {
                case "project_id" -> {
                    require(json, JsonToken.VALUE_STRING, "project_id is no text");
                    project = json.getString();
                }
                case "number" -> last = parseNumber(json, name, 1);
                default -> json.skipChildren();
            }
        }
        if (project == null || last == 0) {
            throw new IllegalArgumentException("project_id or number is missing");
        }
        if (ofProjects.put(project, last) != null) {
            throw new IllegalArgumentException("project " + project + " is there twice");
        }
    }

    private static long parseNumber(JsonParser json, String name, long least) {
        require(json, JsonToken.VALUE_NUMBER_INT, name + " is no whole number");
        long number = json.getLongValue();
        if (number < least) {
            throw new IllegalArgumentException(name + " is less than " + least + ": " + number);
        }
        return number;
    }

    private static void require(JsonParser json, JsonToken token, String otherwise) {
        if (json.currentToken() != token) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
