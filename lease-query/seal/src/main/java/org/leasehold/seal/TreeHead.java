package org.leasehold.seal;

import org.jspecify.annotations.Nullable;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Map;
import java.util.TreeMap;

/**
 * A head, which is signed: it covers all events up to a position.
 *
 * @param number 1 for the first head, and one more for each
 * @param day the day that was over, in UTC; null for one that was made for an export
 * @param position of the last event
 * @param events the number of events
 * @param chain of the last event
 * @param root of the tree of projects
 * @param previous the hash of the head before it; {@link Hash#NONE} for the first
 * @param key the id of the key that signs it
 */
public record TreeHead(
        long number,
        @Nullable LocalDate day,
        Instant made,
        long position,
        long events,
        long streams,
        long projects,
        Hash chain,
        Hash root,
        Hash previous,
        String key) {

    /** Returns its canonical form, which is signed. */
    public String text() {
        Map<String, @Nullable Object> text = new TreeMap<>();
        text.put("number", number);
        text.put("day", day == null ? null : day.toString());
        text.put("made", made.toString());
        text.put("position", position);
        text.put("events", events);
        text.put("streams", streams);
        text.put("projects", projects);
        text.put("chain", chain.hex());
        text.put("root", root.hex());
        text.put("previous", previous.hex());
        text.put("key", key);
        return JsonCanonical.write(text);
    }

    /** Returns its hash, the {@code previous} of the next head. */
    public Hash hash() {
        return Hash.of(text());
    }

    /**
     * Reads a head.
     *
     * @throws IllegalArgumentException if it is invalid, or not in its canonical form
     */
    public static TreeHead of(String text) {
        TreeHead head = read(JsonMembers.of(text));
        if (!head.text().equals(text)) {
            throw new IllegalArgumentException("not a head's canonical form");
        }
        return head;
    }

    private static TreeHead read(JsonMembers members) {
        try {
            String day = members.textOrNull("day");
            return new TreeHead(
                    members.number("number"),
                    day == null ? null : LocalDate.parse(day),
                    Instant.parse(members.text("made")),
                    members.number("position"),
                    members.number("events"),
                    members.number("streams"),
                    members.number("projects"),
                    new Hash(members.text("chain")),
                    new Hash(members.text("root")),
                    new Hash(members.text("previous")),
                    members.text("key"));
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("not a time", e);
        }
    }
}
