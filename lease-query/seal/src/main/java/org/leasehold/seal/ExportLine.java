package org.leasehold.seal;

import org.jspecify.annotations.Nullable;

import java.util.Base64;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * A line of an export: a JSON object whose first member is its type. It contains events and heads
 * byte by byte as they were hashed and signed, so a check does not have to rewrite them.
 *
 * <p>An export begins with {@link Beginning}. Every {@link Key} follows, then the events in the
 * order of positions. Each {@link SignedHead} follows the last event that it covers.
 */
public sealed interface ExportLine {

    /** The version of this format. */
    int VERSION = 1;

    /** The project of streams that belong to no lease. */
    String NO_PROJECT = "-";

    /** Returns the line without its line break. */
    String text();

    /**
     * The first line.
     *
     * @param version of the format
     * @param installation the engine that it comes from
     * @param heads the number of the head that it ends with; 0 if nothing has been signed
     */
    record Beginning(long version, String installation, long heads) implements ExportLine {

        private static final String START = "{\"export\":";

        /** The pattern of a name: it is not signed, and people read it on their terminals. */
        private static final Pattern INSTALLATION = Pattern.compile("[A-Za-z0-9._/:-]{1,200}");

        public Beginning {
            if (!INSTALLATION.matcher(installation).matches()) {
                throw new IllegalArgumentException("not the name of an installation");
            }
        }

        @Override
        public String text() {
            return JsonCanonical.write(
                    Map.of(
                            "export",
                            Map.of(
                                    "version",
                                    version,
                                    "installation",
                                    installation,
                                    "heads",
                                    heads)));
        }

        private static Beginning read(String text) {
            JsonMembers members = JsonMembers.of(text).object("export");
            return new Beginning(
                    members.number("version"),
                    members.text("installation"),
                    members.number("heads"));
        }
    }

    /** A key that has signed heads, as the export has it: no reason to trust it. */
    record Key(TrustedKeys.Shown shown) implements ExportLine {

        private static final String START = "{\"key\":";

        @Override
        public String text() {
            Map<String, @Nullable Object> key = new TreeMap<>();
            key.put("id", shown.id());
            key.put("public_key", shown.encoded());
            key.put("signed_by", shown.signedBy());
            key.put("signature", shown.signature());
            return JsonCanonical.write(Map.of("key", key));
        }

        private static Key read(String text) {
            JsonMembers members = JsonMembers.of(text).object("key");
            return new Key(
                    new TrustedKeys.Shown(
                            members.text("id"),
                            members.text("public_key"),
                            members.textOrNull("signed_by"),
                            members.textOrNull("signature")));
        }
    }

    /**
     * An event.
     *
     * @param line its canonical form, {@link EventEnvelope#line}
     * @param hash its seal
     */
    record Event(String line, Hash hash) implements ExportLine {

        private static final String START = "{\"event\":";

        /** The types of streams that belong to a project. */
        private static final Set<String> PROJECT_STREAM_TYPES = Set.of("Lease", "Use");

        @Override
        public String text() {
            return new ExportLineParts(line, hash.hex()).join(START, ExportLineParts.HASH);
        }

        /**
         * Returns its location.
         *
         * @throws IllegalArgumentException if the line is no event
         */
        public EventLocation location() {
            JsonMembers members = JsonMembers.of(line);
            long sequence = members.number("sequence");
            String project =
                    PROJECT_STREAM_TYPES.contains(members.text("streamType")) && sequence == 0
                            ? members.object("payload").textOrNull("projectId")
                            : null;
            return new EventLocation(
                    members.number("position"),
                    new Stream(
                            members.text("stream"),
                            sequence,
                            project == null ? NO_PROJECT : project));
        }

        private static Event read(String text) {
            ExportLineParts parts = ExportLineParts.of(text, START, ExportLineParts.HASH);
            return new Event(parts.first(), new Hash(parts.second()));
        }
    }

    /** An event that the caller may not see in full, and its seal. */
    record Withheld(EventLocation location, Hash hash) implements ExportLine {

        private static final String START = "{\"withheld\":";

        @Override
        public String text() {
            Map<String, @Nullable Object> withheld = new TreeMap<>();
            withheld.put("position", location.position());
            Stream stream = location.stream();
            if (stream != null) {
                withheld.put("stream", stream.id());
                withheld.put("sequence", stream.sequence());
                withheld.put("project", stream.project());
            }
            return new ExportLineParts(JsonCanonical.write(withheld), hash.hex())
                    .join(START, ExportLineParts.HASH);
        }

        private static Withheld read(String text) {
            ExportLineParts parts = ExportLineParts.of(text, START, ExportLineParts.HASH);
            JsonMembers members = JsonMembers.of(parts.first());
            String stream = members.textOrNull("stream");
            return new Withheld(
                    new EventLocation(
                            members.number("position"),
                            stream == null
                                    ? null
                                    : new Stream(
                                            stream,
                                            members.number("sequence"),
                                            members.text("project"))),
                    new Hash(parts.second()));
        }
    }

    /**
     * A head.
     *
     * @param head {@link TreeHead#text}
     * @param signature in Base64
     */
    record SignedHead(String head, String signature) implements ExportLine {

        private static final String START = "{\"head\":";

        @Override
        public String text() {
            return new ExportLineParts(head, signature).join(START, ExportLineParts.SIGNATURE);
        }

        /**
         * Returns the signature's bytes.
         *
         * @throws IllegalArgumentException if it is not in Base64
         */
        public byte[] signatureBytes() {
            return Base64.getDecoder().decode(signature);
        }

        private static SignedHead read(String text) {
            ExportLineParts parts = ExportLineParts.of(text, START, ExportLineParts.SIGNATURE);
            return new SignedHead(parts.first(), parts.second());
        }
    }

    /**
     * The location of an event in the event log.
     *
     * @param stream null if even its name is withheld
     */
    record EventLocation(long position, @Nullable Stream stream) {}

    /**
     * The location of an event in its stream.
     *
     * @param sequence from 0
     * @param project the project of the stream, if this is its first event
     */
    record Stream(String id, long sequence, String project) {}

    /**
     * Reads a line.
     *
     * @throws IllegalArgumentException if it is invalid, or differs from the form of an export
     */
    static ExportLine of(String text) {
        ExportLine line = read(text);
        if (!line.text().equals(text)) {
            throw new IllegalArgumentException("not as an export writes it");
        }
        return line;
    }

    private static ExportLine read(String text) {
        if (text.startsWith(Event.START)) {
            return Event.read(text);
        }
        if (text.startsWith(Withheld.START)) {
            return Withheld.read(text);
        }
        if (text.startsWith(SignedHead.START)) {
            return SignedHead.read(text);
        }
        if (text.startsWith(Key.START)) {
            return Key.read(text);
        }
        if (text.startsWith(Beginning.START)) {
            return Beginning.read(text);
        }
        throw new IllegalArgumentException("not a line of an export");
    }
}
