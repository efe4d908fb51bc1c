package org.leasehold.saga.petition;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.LeaseId;
import org.leasehold.resource.Petition;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.format.ResolverStyle;
import java.util.Locale;
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

    /** Cuts a text off that has more characters. */
    static String shortened(String text, int characters) {
        return text.codePointCount(0, text.length()) <= characters
                ? text
                : text.substring(0, text.offsetByCodePoints(0, characters));
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
                DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm", Locale.ROOT)
                        .withResolverStyle(ResolverStyle.STRICT);

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
                if (!isStorable(each.getKey())) {
                    return new Unclear(Petition.TERMS + " has a name that is no text");
                }
                if (!each.getValue().isString() || !isStorable(each.getValue().stringValue())) {
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
                    called == null ? nameOf(name) : called,
                    start == null ? now : notBefore(now, instant(start, now)),
                    instant(end, now),
                    beforeEnd == null ? null : instant(beforeEnd, now),
                    said);
        }

        /** No database keeps U+0000 and halves of surrogate pairs, which JSON can spell. */
        private static boolean isStorable(String text) {
            return text.indexOf('\0') < 0 && StandardCharsets.UTF_8.newEncoder().canEncode(text);
        }

        /** A thing may have another name than a lease can have. */
        private static String nameOf(String thing) {
            return isStorable(thing) ? shortened(thing, LONGEST_NAME) : "";
        }

        /** Its owner does not choose when it is heard: who is heard late still gets the rest. */
        private static Instant notBefore(Instant now, Instant start) {
            return start.isBefore(now) ? now : start;
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
