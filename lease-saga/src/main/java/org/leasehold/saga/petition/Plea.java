package org.leasehold.saga.petition;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.LeaseId;
import org.leasehold.resource.Petition;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.TreeMap;

/** What a petition says. */
sealed interface Plea {

    /** It is to be a part of a lease that is there. */
    record Joining(LeaseId lease) implements Plea {}

    /**
     * It is to have a lease of its own.
     *
     * @param parameters what else is said, for its plugin to understand
     */
    record OwnLease(
            String name,
            Instant start,
            Instant end,
            @Nullable Instant beforeEnd,
            Map<String, String> parameters)
            implements Plea {}

    /**
     * It makes no sense.
     *
     * @param problem a sentence for its owner
     */
    record Unclear(String problem) implements Plea {}

    /** Reads what is written, at a time that may be called now. */
    static Plea of(Petition petition, Instant now) {
        String lease = petition.metadata().get(Petition.LEASE);
        String terms = petition.metadata().get(Petition.TERMS);
        if (lease != null) {
            return terms == null
                    ? joining(lease)
                    : new Unclear(
                            "%s and %s exclude each other"
                                    .formatted(Petition.LEASE, Petition.TERMS));
        }
        try {
            return Reader.read(String.valueOf(terms), petition.name(), now);
        } catch (JacksonException malformed) {
            return new Unclear(Petition.TERMS + " is no JSON object");
        } catch (DateTimeParseException noDate) {
            return new Unclear(
                    "%s is no date such as 2030-01-31T09:30:00Z or 2030-01-31 09:30"
                            .formatted(noDate.getParsedString()));
        }
    }

    private static Plea joining(String lease) {
        try {
            return new Joining(LeaseId.of(lease.strip()));
        } catch (IllegalArgumentException noId) {
            return new Unclear(Petition.LEASE + " is no lease's id");
        }
    }

    /** Reads terms. */
    final class Reader {

        private static final JsonMapper JSON = JsonMapper.builder().build();

        /** The ancestor's form, in UTC. */
        private static final DateTimeFormatter MINUTES =
                DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm");

        /** Nothing later can be written with four digits. */
        private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

        private static final int LONGEST_NAME = 80;

        private Reader() {}

        private static Plea read(String terms, String name, Instant now) {
            JsonNode read = JSON.readTree(terms);
            if (!read.isObject()) {
                return new Unclear(Petition.TERMS + " is no JSON object");
            }
            Map<String, String> said = new TreeMap<>();
            for (Map.Entry<String, JsonNode> each : read.properties()) {
                if (!each.getValue().isString()
                        || each.getValue().stringValue().indexOf('\0') >= 0) {
                    return new Unclear(each.getKey() + " must be a text");
                }
                said.put(each.getKey(), each.getValue().stringValue());
            }
            String end = said.remove("end");
            if (end == null) {
                return new Unclear("end is missing");
            }
            String start = said.remove("start");
            String beforeEnd = said.remove("before_end");
            String called = said.remove("name");
            return new OwnLease(
                    called == null ? shortened(name) : called,
                    start == null ? now : instant(start, now),
                    instant(end, now),
                    beforeEnd == null ? null : instant(beforeEnd, now),
                    said);
        }

        /** A thing may have a longer name than a lease. */
        private static String shortened(String name) {
            return name.codePointCount(0, name.length()) <= LONGEST_NAME
                    ? name
                    : name.substring(0, name.offsetByCodePoints(0, LONGEST_NAME));
        }

        private static Instant instant(String text, Instant now) {
            if (text.equals("now")) {
                return now;
            }
            Instant read =
                    text.contains("T")
                            ? Instant.parse(text)
                            : LocalDateTime.parse(text, MINUTES).toInstant(ZoneOffset.UTC);
            if (read.isAfter(LAST)) {
                throw new DateTimeParseException("too late", text, 0);
            }
            return read;
        }
    }
}
