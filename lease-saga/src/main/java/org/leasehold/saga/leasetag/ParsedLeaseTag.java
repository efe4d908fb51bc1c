package org.leasehold.saga.leasetag;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.LeaseTaggedObject;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;

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

/** The content of a lease tag. */
sealed interface ParsedLeaseTag {

    /** A reservation in an existing lease. */
    record Joining(LeaseId lease) implements ParsedLeaseTag {}

    /**
     * A lease of its own.
     *
     * @param parameters the other entries, for its plug-in
     */
    record OwnLease(
            String name,
            Instant start,
            Instant end,
            @Nullable Instant beforeEnd,
            Map<String, String> parameters)
            implements ParsedLeaseTag {}

    /**
     * An invalid text.
     *
     * @param problem a sentence for its owner
     */
    record Unclear(String problem) implements ParsedLeaseTag {}

    /** Parses the text at a time that "now" stands for. */
    static ParsedLeaseTag of(LeaseTaggedObject object, Instant now) {
        String lease = object.metadata().get(LeaseTaggedObject.LEASE);
        String terms = object.metadata().get(LeaseTaggedObject.TERMS);
        if (lease != null) {
            return terms == null
                    ? parseLeaseId(lease)
                    : new Unclear(
                            "%s and %s exclude each other"
                                    .formatted(LeaseTaggedObject.LEASE, LeaseTaggedObject.TERMS));
        }
        try {
            return Reader.parse(String.valueOf(terms), object.name(), now);
        } catch (JacksonException malformed) {
            return new Unclear(LeaseTaggedObject.TERMS + " is no JSON object");
        } catch (DateTimeParseException noDate) {
            return new Unclear(
                    "%s is no date such as 2030-01-31T09:30:00Z or 2030-01-31 09:30"
                            .formatted(noDate.getParsedString()));
        }
    }

    /** Cuts a text off after a number of characters. */
    static String truncate(String text, int characters) {
        return text.codePointCount(0, text.length()) <= characters
                ? text
                : text.substring(0, text.offsetByCodePoints(0, characters));
    }

    private static ParsedLeaseTag parseLeaseId(String lease) {
        try {
            return new Joining(LeaseId.of(lease.strip()));
        } catch (IllegalArgumentException noId) {
            return new Unclear(LeaseTaggedObject.LEASE + " is no lease's id");
        }
    }

    /** The parser of terms. */
    final class Reader {

        private static final JsonMapper JSON = JsonMapper.builder().build();

        /** Blazar's format, in UTC. */
        private static final DateTimeFormatter BLAZAR_FORMAT =
                DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm", Locale.ROOT)
                        .withResolverStyle(ResolverStyle.STRICT);

        private static final int MAX_NAME_LENGTH = 80;

        private Reader() {}

        private static ParsedLeaseTag parse(String terms, String name, Instant now) {
            JsonNode read = JSON.readTree(terms);
            if (!read.isObject()) {
                return new Unclear(LeaseTaggedObject.TERMS + " is no JSON object");
            }
            Map<String, String> said = new TreeMap<>();
            for (Map.Entry<String, JsonNode> each : read.properties()) {
                if (!isStorable(each.getKey())) {
                    return new Unclear(LeaseTaggedObject.TERMS + " has a name that is no text");
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
                    called == null ? leaseName(name) : called,
                    start == null ? now : notBefore(now, parseInstant(start, now)),
                    parseInstant(end, now),
                    beforeEnd == null ? null : parseInstant(beforeEnd, now),
                    said);
        }

        /** Rejects U+0000 and lone surrogates: JSON can spell them, but no database stores them. */
        private static boolean isStorable(String text) {
            return text.indexOf('\0') < 0 && StandardCharsets.UTF_8.newEncoder().canEncode(text);
        }

        /** Shortens an object's name: it may be longer than a lease's may be. */
        private static String leaseName(String thing) {
            return isStorable(thing) ? truncate(thing, MAX_NAME_LENGTH) : "";
        }

        /** Moves a past start to now: a lease that is processed late still gets the rest. */
        private static Instant notBefore(Instant now, Instant start) {
            return start.isBefore(now) ? now : start;
        }

        private static Instant parseInstant(String text, Instant now) {
            if (text.equals("now")) {
                return now;
            }
            Instant read =
                    text.contains("T")
                            ? Instant.parse(text)
                            : LocalDateTime.parse(text, BLAZAR_FORMAT).toInstant(ZoneOffset.UTC);
            if (read.isAfter(LeasePeriod.MAX_TIME)) {
                throw new DateTimeParseException("too late", text, 0);
            }
            return read;
        }
    }
}
