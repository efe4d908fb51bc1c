package org.leasehold.seal;

import org.jspecify.annotations.Nullable;

import java.util.Base64;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * A line of an export: a JSON object whose first member says what it is. Events and heads are in it
 * byte by byte as they were hashed and signed: who checks them has nothing to write anew.
 *
 * <p>First comes {@link Beginning}, then every {@link Key}, then what happened in the order of
 * positions, each {@link SignedHead} after the last event that it speaks of.
 */
public sealed interface ExportLine {

    /** Of the form that is described here. */
    int VERSION = 1;

    /** Whose streams are those that belong to no lease. */
    String NOBODYS = "-";

    /** Without the end of the line. */
    String text();

    /**
     * What follows.
     *
     * @param version of its form
     * @param installation which engine it comes from
     * @param heads the number of the head that it ends with; 0 if nothing has been signed
     */
    record Beginning(long version, String installation, long heads) implements ExportLine {

        private static final String START = "{\"export\":";

        /** Nobody has signed it, and people read it on their terminals. */
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
            Members members = Members.of(text).object("export");
            return new Beginning(
                    members.number("version"),
                    members.text("installation"),
                    members.number("heads"));
        }
    }

    /** A key that has signed heads, as it is shown: no reason to believe it. */
    record Key(PublicKeys.Shown shown) implements ExportLine {

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
            Members members = Members.of(text).object("key");
            return new Key(
                    new PublicKeys.Shown(
                            members.text("id"),
                            members.text("public_key"),
                            members.textOrNull("signed_by"),
                            members.textOrNull("signature")));
        }
    }

    /**
     * An event.
     *
     * @param line its canonical form, {@link Envelope#line}
     * @param hash its seal
     */
    record Event(String line, Hash hash) implements ExportLine {

        private static final String START = "{\"event\":";

        /** The types of streams that are a project's. */
        private static final Set<String> OWNED = Set.of("Lease", "Use");

        @Override
        public String text() {
            return new LineParts(line, hash.hex()).joined(START, LineParts.HASH);
        }

        /**
         * Where it is.
         *
         * @throws IllegalArgumentException if the line is no event
         */
        public Place place() {
            Members members = Members.of(line);
            long sequence = members.number("sequence");
            String project =
                    OWNED.contains(members.text("streamType")) && sequence == 0
                            ? members.object("payload").textOrNull("projectId")
                            : null;
            return new Place(
                    members.number("position"),
                    new Stream(
                            members.text("stream"), sequence, project == null ? NOBODYS : project));
        }

        private static Event read(String text) {
            LineParts parts = LineParts.of(text, START, LineParts.HASH);
            return new Event(parts.first(), new Hash(parts.second()));
        }
    }

    /** An event that whoever asked may not see all of, and its seal. */
    record Withheld(Place place, Hash hash) implements ExportLine {

        private static final String START = "{\"withheld\":";

        @Override
        public String text() {
            Map<String, @Nullable Object> withheld = new TreeMap<>();
            withheld.put("position", place.position());
            Stream stream = place.stream();
            if (stream != null) {
                withheld.put("stream", stream.id());
                withheld.put("sequence", stream.sequence());
                withheld.put("project", stream.project());
            }
            return new LineParts(JsonCanonical.write(withheld), hash.hex())
                    .joined(START, LineParts.HASH);
        }

        private static Withheld read(String text) {
            LineParts parts = LineParts.of(text, START, LineParts.HASH);
            Members members = Members.of(parts.first());
            String stream = members.textOrNull("stream");
            return new Withheld(
                    new Place(
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
     * @param head {@link Head#text}
     * @param signature in Base64
     */
    record SignedHead(String head, String signature) implements ExportLine {

        private static final String START = "{\"head\":";

        @Override
        public String text() {
            return new LineParts(head, signature).joined(START, LineParts.SIGNATURE);
        }

        /**
         * The signature's bytes.
         *
         * @throws IllegalArgumentException if it is not in Base64
         */
        public byte[] signed() {
            return Base64.getDecoder().decode(signature);
        }

        private static SignedHead read(String text) {
            LineParts parts = LineParts.of(text, START, LineParts.SIGNATURE);
            return new SignedHead(parts.first(), parts.second());
        }
    }

    /**
     * Where an event is.
     *
     * @param stream null where even its name is withheld
     */
    record Place(long position, @Nullable Stream stream) {}

    /**
     * Where an event is in its stream.
     *
     * @param sequence from 0
     * @param project whose the stream is, if this is its first event
     */
    record Stream(String id, long sequence, String project) {}

    /**
     * Reads a line.
     *
     * @throws IllegalArgumentException if it is none, or has in it what no line has
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
