package org.leasehold.gateway.api.event;

import static java.util.stream.Collectors.toUnmodifiableSet;

import org.leasehold.gateway.api.problem.Problem;
import org.leasehold.gateway.api.problem.ProblemException;
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
public final class EventTypeNames {

    /** A name, or the type of its CloudEvent. */
    public static final String NAME_PATTERN = "(org\\.leasehold\\.)?[A-Za-z]{1,50}";

    public static final int MAX_LENGTH = 64;

    private static final String CLOUD_EVENT_PREFIX = "org.leasehold.";

    private final Set<String> names;

    private EventTypeNames(Set<String> names) {
        this.names = names;
    }

    public static EventTypeNames loadPublished() {
        var document = new ClassPathResource("asyncapi.json", EventTypeNames.class);
        try (InputStream in = document.getInputStream()) {
            return new EventTypeNames(
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
    public String resolve(String field, String said) {
        String name =
                said.startsWith(CLOUD_EVENT_PREFIX)
                        ? said.substring(CLOUD_EVENT_PREFIX.length())
                        : said;
        if (!names.contains(name)) {
            throw new ProblemException(
                    Problem.ofField(
                            field, "must be one of " + String.join(", ", new TreeSet<>(names))));
        }
        return name;
    }

    /** Returns the names for the items of a list, likewise. */
    public Set<String> resolve(String field, List<String> said) {
        Set<String> found = new HashSet<>();
        for (int i = 0; i < said.size(); i++) {
            found.add(resolve("%s[%s]".formatted(field, i), said.get(i)));
        }
        return found;
    }
}
