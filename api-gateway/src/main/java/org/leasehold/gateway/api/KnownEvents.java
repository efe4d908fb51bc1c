package org.leasehold.gateway.api;

import static java.util.stream.Collectors.toUnmodifiableSet;

import org.springframework.core.io.ClassPathResource;

import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The names of all types of events, as they are published. */
final class KnownEvents {

    /** A name, or the type of its CloudEvent. */
    static final String NAME = "(org\\.leasehold\\.)?[A-Za-z]{1,50}";

    static final int LONGEST = 64;

    private static final String OF_CLOUD_EVENTS = "org.leasehold.";

    private final Set<String> names;

    private KnownEvents(Set<String> names) {
        this.names = names;
    }

    static KnownEvents published() {
        var document = new ClassPathResource("asyncapi.json", KnownEvents.class);
        try (InputStream in = document.getInputStream()) {
            return new KnownEvents(
                    JsonMapper.shared()
                            .readTree(in)
                            .at("/channels/events/messages")
                            .propertyNames()
                            .stream()
                            .map(message -> message.substring(0, message.indexOf(".v")))
                            .collect(toUnmodifiableSet()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Set<String> names() {
        return names;
    }

    /**
     * Returns the name of a type of events.
     *
     * @param said the name, or the type of the CloudEvent: {@code org.leasehold.LeaseEnded}
     * @throws ProblemException if no type has that name
     */
    String named(String field, String said) {
        String name =
                said.startsWith(OF_CLOUD_EVENTS) ? said.substring(OF_CLOUD_EVENTS.length()) : said;
        if (!names.contains(name)) {
            throw new ProblemException(
                    Problem.ofField(
                            field, "must be one of " + String.join(", ", new TreeSet<>(names))));
        }
        return name;
    }

    /** Returns the names for the items of a list, likewise. */
    Set<String> named(String field, List<String> said) {
        Set<String> found = new HashSet<>();
        for (int i = 0; i < said.size(); i++) {
            found.add(named("%s[%s]".formatted(field, i), said.get(i)));
        }
        return found;
    }
}
