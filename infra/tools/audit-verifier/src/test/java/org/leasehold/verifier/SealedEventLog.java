package org.leasehold.verifier;

import org.jspecify.annotations.Nullable;
import org.leasehold.seal.EventEnvelope;
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
import org.leasehold.seal.SigningKey;
import org.leasehold.seal.TreeHead;
import org.leasehold.seal.TrustedKeys;

import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Events with an engine's seals and signatures, and their export. */
final class SealedEventLog {

    private static final Instant THEN = Instant.parse("2026-11-21T00:33:30.123456Z");

    /** The day that a head signs; null for a head that was created for an export. */
    @Nullable LocalDate day;

    private final List<String> lines = new ArrayList<>();
    private final List<String> keyLines = new ArrayList<>();
    private final Map<String, Standing> streams = new HashMap<>();
    private @Nullable SigningKey key;
    private @Nullable TreeHead last;
    private Hash chain = Hash.NONE;
    private long position;
    private long events;

    /** Adds an event of a project's lease; positions have gaps. */
    void happen(String lease, String name) {
        happen("Lease", lease, "astronomy", name, true);
    }

    void happen(String type, String stream, String project, String name, boolean named) {
        position += 2;
        events++;
        Standing before = streams.get(stream);
        long sequence = before == null ? 0 : before.sequence() + 1;
        EventEnvelope event =
                new EventEnvelope(
                        position,
                        new UUID(7, position),
                        type,
                        stream,
                        sequence,
                        "LeaseRenamed",
                        1,
                        "{\"projectId\": \"%s\", \"name\": \"%s\", \"amount\": 9007199254740993}"
                                .formatted(project, name),
                        "{\"user\": \"ada\", \"origin\": \"198.51.100.7\"}",
                        THEN.plusSeconds(position),
                        THEN.plusSeconds(position));
        Hash hash = Hash.ofEvent(before == null ? Hash.NONE : before.hash(), event.line());
        chain = Hash.chained(chain, hash);
        String owner = type.equals("Lease") ? project : "-";
        streams.put(stream, new Standing(owner, stream, sequence, hash));
        lines.add(new Event(event.line(), hash).text());
        if (name.equals("secret")) {
            Stream shown = named ? new Stream(stream, sequence, owner) : null;
            lines.set(
                    lines.size() - 1,
                    new Withheld(new EventLocation(position, shown), hash).text());
        }
    }

    /** Signs the events so far; the previous key signs a new one. */
    TreeHead sign(SigningKey with) {
        if (key == null || !key.id().equals(with.id())) {
            introduce(with, key);
            key = with;
        }
        ProjectMerkleTree projects = new ProjectMerkleTree();
        streams.values().forEach(projects::put);
        TreeHead head =
                new TreeHead(
                        last == null ? 1 : last.number() + 1,
                        day,
                        THEN,
                        position,
                        events,
                        projects.streams(),
                        projects.projects(),
                        chain,
                        projects.root(),
                        last == null ? Hash.NONE : last.hash(),
                        with.id());
        lines.add(signed(head, with));
        last = head;
        return head;
    }

    static String signed(TreeHead head, SigningKey key) {
        return new SignedHead(head.text(), base64(key.sign(head))).text();
    }

    private void introduce(SigningKey with, @Nullable SigningKey before) {
        keyLines.add(
                new ExportLine.Key(
                                new TrustedKeys.Shown(
                                        with.id(),
                                        base64(with.publicKey()),
                                        before == null ? null : before.id(),
                                        before == null ? null : base64(before.signSuccessor(with))))
                        .text());
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    /** Returns a modifiable list of lines. */
    List<String> export() {
        List<String> export = new ArrayList<>();
        export.add(new Beginning(1, "leasehold", last == null ? 0 : last.number()).text());
        export.addAll(keyLines);
        export.addAll(lines);
        return export;
    }
}
