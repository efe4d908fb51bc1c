package org.leasehold.verifier;

import org.jspecify.annotations.Nullable;
import org.leasehold.seal.ExportLine;
import org.leasehold.seal.ExportLine.Beginning;
import org.leasehold.seal.ExportLine.Event;
import org.leasehold.seal.ExportLine.EventLocation;
import org.leasehold.seal.ExportLine.SignedHead;
import org.leasehold.seal.ExportLine.Stream;
import org.leasehold.seal.ExportLine.Withheld;
import org.leasehold.seal.Hash;
import org.leasehold.seal.ProjectMerkleTree;
import org.leasehold.seal.ProjectMerkleTree.Standing;
import org.leasehold.seal.TreeHead;
import org.leasehold.seal.TrustedKeys;

import java.util.HashMap;
import java.util.Map;

/**
 * Checks an export line by line. It stores only the last event of each stream: the memory grows
 * with the number of streams, not of events.
 */
final class ExportVerification {

    private final TrustedKeys keys;
    private final Map<Long, Hash> keptHeads;

    private final Map<String, Standing> streams = new HashMap<>();
    private final ProjectMerkleTree projects = new ProjectMerkleTree();
    private @Nullable Beginning beginning;
    private @Nullable TreeHead lastHead;
    private Hash chain = Hash.NONE;
    private long position;
    private long events;
    private long withheld;
    private long firstWithheld;
    private long eventsWithoutStream;

    /**
     * Starts a verification.
     *
     * @param keys trusted keys; a key of the export is trusted if one of these signed it
     * @param kept hashes of heads by number, stored elsewhere
     */
    ExportVerification(TrustedKeys keys, Map<Long, Hash> kept) {
        this.keys = keys;
        this.keptHeads = Map.copyOf(kept);
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
            TreeHead last) {}

    /**
     * Checks the next line.
     *
     * @throws CorruptExport if it does not match the seals
     */
    void verify(String text) throws CorruptExport {
        ExportLine line = read(text);
        if (beginning == null) {
            readBeginning(line);
            return;
        }
        if (lastHead != null && lastHead.number() == beginning.heads()) {
            throw new CorruptExport(
                    "something follows head %s, the last".formatted(lastHead.number()));
        }
        switch (line) {
            case Beginning _ -> throw new CorruptExport("a second beginning");
            case ExportLine.Key key -> addSuccessorKey(key);
            case Event event -> verify(event);
            case Withheld event -> {
                verify(event.location(), event.hash());
                withheld++;
                if (withheld == 1) {
                    firstWithheld = position;
                }
            }
            case SignedHead head -> verify(head);
        }
    }

    private static ExportLine read(String text) throws CorruptExport {
        try {
            return ExportLine.of(text);
        } catch (IllegalArgumentException e) {
            throw new CorruptExport("not a line of an export, or cut off: " + e.getMessage());
        }
    }

    private void readBeginning(ExportLine line) throws CorruptExport {
        if (!(line instanceof Beginning first)) {
            throw new CorruptExport("not the beginning of an export");
        }
        if (first.version() != ExportLine.VERSION) {
            throw new CorruptExport(
                    "an export of version %s, which this verifier does not know"
                            .formatted(first.version()));
        }
        beginning = first;
    }

    private void addSuccessorKey(ExportLine.Key key) throws CorruptExport {
        try {
            keys.trustSuccessor(key.shown());
        } catch (IllegalArgumentException e) {
            throw new CorruptExport("key %s is none".formatted(key.shown().id()));
        }
    }

    private void verify(Event event) throws CorruptExport {
        EventLocation location;
        try {
            location = event.location();
        } catch (IllegalArgumentException e) {
            throw new CorruptExport("not an event: " + e.getMessage());
        }
        Stream stream = location.stream();
        Standing before = stream == null ? null : streams.get(stream.id());
        Hash found = Hash.ofEvent(before == null ? Hash.NONE : before.hash(), event.line());
        verify(location, event.hash());
        if (!found.equals(event.hash())) {
            throw new CorruptExport(
                    "position %s: expected the event that was sealed as %s, found one that is"
                                    .formatted(location.position(), event.hash())
                            + " sealed as "
                            + found);
        }
    }

    private void verify(EventLocation location, Hash hash) throws CorruptExport {
        if (location.position() <= position) {
            throw new CorruptExport(
                    "position %s comes after position %s".formatted(location.position(), position));
        }
        position = location.position();
        chain = Hash.chained(chain, hash);
        events++;
        Stream stream = location.stream();
        if (stream == null) {
            eventsWithoutStream++;
            return;
        }
        Standing before = streams.get(stream.id());
        long expected = before == null ? 0 : before.sequence() + 1;
        if (stream.sequence() != expected) {
            throw new CorruptExport(
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

    private void verify(SignedHead line) throws CorruptExport {
        long number = lastHead == null ? 1 : lastHead.number() + 1;
        String where = "head " + number;
        TreeHead head;
        try {
            head = TreeHead.of(line.head());
            if (!keys.verify(head, line.signatureBytes())) {
                throw new CorruptExport(
                        where + ": not signed by a key that is believed; it names " + head.key());
            }
        } catch (IllegalArgumentException e) {
            throw new CorruptExport(where + ": " + e.getMessage());
        }
        requireEqual(where + " number", number, head.number());
        requireEqual(
                where + " previous",
                lastHead == null ? Hash.NONE : lastHead.hash(),
                head.previous());
        compareWithEvents(head);
        Hash other = keptHeads.get(number);
        if (other != null) {
            requireEqual(where + ", which was kept", other, head.hash());
        }
        lastHead = head;
    }

    private void compareWithEvents(TreeHead head) throws CorruptExport {
        String where =
                "head %s (after position %s, up to position %s) "
                        .formatted(
                                head.number(),
                                lastHead == null ? 0 : lastHead.position(),
                                head.position());
        if (head.position() < position) {
            throw new CorruptExport(where + "comes after position " + position);
        }
        // A new key may have its own head without a new event.
        if (lastHead != null && head.position() < lastHead.position()) {
            throw new CorruptExport(where + "goes back");
        }
        position = head.position();
        requireEqual(where + "events", head.events(), events);
        requireEqual(where + "chain", head.chain(), chain);
        if (eventsWithoutStream == 0) {
            requireEqual(where + "streams", head.streams(), projects.streams());
            requireEqual(where + "projects", head.projects(), projects.projects());
            requireEqual(where + "root", head.root(), projects.root());
        }
    }

    private static void requireEqual(String what, Object expected, Object found)
            throws CorruptExport {
        if (!expected.equals(found)) {
            throw new CorruptExport("%s: expected %s, found %s".formatted(what, expected, found));
        }
    }

    /**
     * Ends the export.
     *
     * @throws CorruptExport if more lines are expected
     */
    Report finish() throws CorruptExport {
        if (beginning == null) {
            throw new CorruptExport("nothing is there");
        }
        if (beginning.heads() == 0) {
            throw new CorruptExport("nothing has been signed yet, so that nothing can be checked");
        }
        long reached = lastHead == null ? 0 : lastHead.number();
        if (lastHead == null || reached != beginning.heads()) {
            throw new CorruptExport(
                    "cut off: ends after head %s, expected %s"
                            .formatted(reached, beginning.heads()));
        }
        for (long number : keptHeads.keySet()) {
            if (number > reached) {
                throw new CorruptExport(
                        "ends at head %s, and head %s was kept".formatted(reached, number));
            }
        }
        return new Report(
                beginning.installation(),
                events,
                withheld,
                firstWithheld,
                eventsWithoutStream,
                streams.size(),
                lastHead);
    }
}
