package org.leasehold.verifier;

import org.jspecify.annotations.Nullable;
import org.leasehold.seal.ExportLine;
import org.leasehold.seal.ExportLine.Beginning;
import org.leasehold.seal.ExportLine.Event;
import org.leasehold.seal.ExportLine.Place;
import org.leasehold.seal.ExportLine.SignedHead;
import org.leasehold.seal.ExportLine.Stream;
import org.leasehold.seal.ExportLine.Withheld;
import org.leasehold.seal.Hash;
import org.leasehold.seal.Head;
import org.leasehold.seal.PublicKeys;
import org.leasehold.seal.SealedProjects;
import org.leasehold.seal.SealedProjects.Standing;

import java.util.HashMap;
import java.util.Map;

/**
 * Checks an export line by line. It stores only the last event of each stream: the memory grows
 * with the number of streams, not of events.
 */
final class Verification {

    private final PublicKeys keys;
    private final Map<Long, Hash> kept;

    private final Map<String, Standing> streams = new HashMap<>();
    private final SealedProjects projects = new SealedProjects();
    private @Nullable Beginning beginning;
    private @Nullable Head last;
    private Hash chain = Hash.NONE;
    private long position;
    private long events;
    private long withheld;
    private long firstWithheld;
    private long nameless;

    /**
     * Starts a verification.
     *
     * @param keys trusted keys; a key of the export is trusted if one of these signed it
     * @param kept hashes of heads by number, stored elsewhere
     */
    Verification(PublicKeys keys, Map<Long, Hash> kept) {
        this.keys = keys;
        this.kept = Map.copyOf(kept);
    }

    /**
     * The result of a verification.
     *
     * @param withheld the number of events of which only the seal was present: their content cannot
     *     be compared with it
     * @param firstWithheld the position of the first of them; 0 if there are none
     * @param nameless the number of them without even a stream; if there are any, only the chain
     *     could be compared with the heads, not the streams
     */
    record Report(
            String installation,
            long events,
            long withheld,
            long firstWithheld,
            long nameless,
            long streams,
            Head last) {}

    /**
     * Checks the next line.
     *
     * @throws WrongExport if it does not match the seals
     */
    void take(String text) throws WrongExport {
        ExportLine line = read(text);
        if (beginning == null) {
            begin(line);
            return;
        }
        if (last != null && last.number() == beginning.heads()) {
            throw new WrongExport("something follows head %s, the last".formatted(last.number()));
        }
        switch (line) {
            case Beginning _ -> throw new WrongExport("a second beginning");
            case ExportLine.Key key -> succeed(key);
            case Event event -> take(event);
            case Withheld event -> {
                take(event.place(), event.hash());
                withheld++;
                if (withheld == 1) {
                    firstWithheld = position;
                }
            }
            case SignedHead head -> take(head);
        }
    }

    private static ExportLine read(String text) throws WrongExport {
        try {
            return ExportLine.of(text);
        } catch (IllegalArgumentException e) {
            throw new WrongExport("not a line of an export, or cut off: " + e.getMessage());
        }
    }

    private void begin(ExportLine line) throws WrongExport {
        if (!(line instanceof Beginning first)) {
            throw new WrongExport("not the beginning of an export");
        }
        if (first.version() != ExportLine.VERSION) {
            throw new WrongExport(
                    "an export of version %s, which this verifier does not know"
                            .formatted(first.version()));
        }
        beginning = first;
    }

    private void succeed(ExportLine.Key key) throws WrongExport {
        try {
            keys.succeed(key.shown());
        } catch (IllegalArgumentException e) {
            throw new WrongExport("key %s is none".formatted(key.shown().id()));
        }
    }

    private void take(Event event) throws WrongExport {
        Place place;
        try {
            place = event.place();
        } catch (IllegalArgumentException e) {
            throw new WrongExport("not an event: " + e.getMessage());
        }
        Stream stream = place.stream();
        Standing before = stream == null ? null : streams.get(stream.id());
        Hash found = Hash.ofEvent(before == null ? Hash.NONE : before.hash(), event.line());
        take(place, event.hash());
        if (!found.equals(event.hash())) {
            throw new WrongExport(
                    "position %s: expected the event that was sealed as %s, found one that is"
                                    .formatted(place.position(), event.hash())
                            + " sealed as "
                            + found);
        }
    }

    private void take(Place place, Hash hash) throws WrongExport {
        if (place.position() <= position) {
            throw new WrongExport(
                    "position %s comes after position %s".formatted(place.position(), position));
        }
        position = place.position();
        chain = Hash.chained(chain, hash);
        events++;
        Stream stream = place.stream();
        if (stream == null) {
            nameless++;
            return;
        }
        Standing before = streams.get(stream.id());
        long expected = before == null ? 0 : before.sequence() + 1;
        if (stream.sequence() != expected) {
            throw new WrongExport(
                    "position %s: expected event %s of stream %s, found event %s"
                            .formatted(position, expected, stream.id(), stream.sequence()));
        }
        Standing standing =
                new Standing(
                        before == null ? stream.project() : before.project(),
                        stream.id(),
                        stream.sequence(),
                        hash);
        streams.put(stream.id(), standing);
        projects.put(standing);
    }

    private void take(SignedHead line) throws WrongExport {
        long number = last == null ? 1 : last.number() + 1;
        String where = "head " + number;
        Head head;
        try {
            head = Head.of(line.head());
            if (!keys.verify(head, line.signed())) {
                throw new WrongExport(
                        where + ": not signed by a key that is believed; it names " + head.key());
            }
        } catch (IllegalArgumentException e) {
            throw new WrongExport(where + ": " + e.getMessage());
        }
        expect(where + " number", number, head.number());
        expect(where + " previous", last == null ? Hash.NONE : last.hash(), head.previous());
        compareWithEvents(head);
        Hash other = kept.get(number);
        if (other != null) {
            expect(where + ", which was kept", other, head.hash());
        }
        last = head;
    }

    private void compareWithEvents(Head head) throws WrongExport {
        String where =
                "head %s (after position %s, up to position %s) "
                        .formatted(
                                head.number(), last == null ? 0 : last.position(), head.position());
        if (head.position() < position) {
            throw new WrongExport(where + "comes after position " + position);
        }
        // A new key may have its own head without a new event.
        if (last != null && head.position() < last.position()) {
            throw new WrongExport(where + "goes back");
        }
        position = head.position();
        expect(where + "events", head.events(), events);
        expect(where + "chain", head.chain(), chain);
        if (nameless == 0) {
            expect(where + "streams", head.streams(), projects.streams());
            expect(where + "projects", head.projects(), projects.projects());
            expect(where + "root", head.root(), projects.root());
        }
    }

    private static void expect(String what, Object expected, Object found) throws WrongExport {
        if (!expected.equals(found)) {
            throw new WrongExport("%s: expected %s, found %s".formatted(what, expected, found));
        }
    }

    /**
     * Ends the export.
     *
     * @throws WrongExport if more lines are expected
     */
    Report end() throws WrongExport {
        if (beginning == null) {
            throw new WrongExport("nothing is there");
        }
        if (beginning.heads() == 0) {
            throw new WrongExport("nothing has been signed yet, so that nothing can be checked");
        }
        long reached = last == null ? 0 : last.number();
        if (last == null || reached != beginning.heads()) {
            throw new WrongExport(
                    "cut off: ends after head %s, expected %s"
                            .formatted(reached, beginning.heads()));
        }
        for (long number : kept.keySet()) {
            if (number > reached) {
                throw new WrongExport(
                        "ends at head %s, and head %s was kept".formatted(reached, number));
            }
        }
        return new Report(
                beginning.installation(),
                events,
                withheld,
                firstWithheld,
                nameless,
                streams.size(),
                last);
    }
}
