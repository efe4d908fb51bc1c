package org.leasehold.verifier;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.seal.ExportLine;
import org.leasehold.seal.ExportLine.Event;
import org.leasehold.seal.Hash;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** The manipulations of events that a verification finds and locates. */
class AuditVerifierTest extends AuditVerifierFixture {

    @Test
    void an_unchanged_export_passes_verification() {
        Answer answer = verify();

        assertThat(answer.text())
                .isEqualTo(
                        """
                        leasehold: 7 events of 3 streams match their seals, up to position 14
                        3 heads are signed, the last one at 2026-11-21T00:33:30.123456Z; keep it outside of the engine:
                        --kept-head=3:%s
                        """
                                .formatted(newest.hash()));
        assertThat(answer.status()).isZero();
        assertThat(verify("--kept-head=3:" + newest.hash()).status()).isZero();
    }

    @Test
    void an_edited_event_is_reported_with_the_position() {
        edit("\"four\"", "\"for\"");

        assertWrong(
                "line 9: position 10: expected the event that was sealed as ",
                "found one that is sealed as");
    }

    @Test
    void an_event_with_a_forged_seal_contradicts_the_next_seal_of_the_stream() {
        forge(position(2), "\"one\"", "\"none\"", hashBefore("a", 2));

        assertWrong("line 6: position 6: expected the event that was sealed as ");
    }

    /** Forges an event with a valid seal. */
    private void forge(int index, String from, String to, Hash before) {
        Event event = (Event) ExportLine.of(export.get(index));
        String line = event.line().replace(from, to);
        assertThat(line).isNotEqualTo(event.line());
        export.set(index, new Event(line, Hash.ofEvent(before, line)).text());
    }

    /** Returns the seal of the last event of a stream before a position. */
    private Hash hashBefore(String stream, long position) {
        Hash hash = Hash.NONE;
        for (String line : export) {
            if (ExportLine.of(line) instanceof Event event
                    && event.line().contains("\"stream\":\"" + stream + "\"")
                    && event.location().position() < position) {
                hash = event.hash();
            }
        }
        return hash;
    }

    @Test
    void an_event_with_a_forged_seal_contradicts_the_signed_head() {
        forge(position(14), "\"six\"", "\"sex\"", hashBefore("a", 14));

        assertWrong("line 13: head 3 (after position 10, up to position 14) chain: expected ");
    }

    @Test
    void an_inserted_event_contradicts_the_stream_or_the_head() {
        String forged = export.get(position(14)).replace("\"position\":14", "\"position\":13");
        export.add(position(14), forged);
        forge(position(13), "\"six\"", "\"and a half\"", hashBefore("a", 13));

        assertWrong("line 13: position 14: expected event 4 of stream a, found event 3");

        export.remove(position(14));
        export.add(position(13) + 1, event("c", 14));
        assertWrong("head 3 (after position 10, up to position 14) events: expected 7, found 8");
    }

    @Test
    void reordered_events_are_reported() {
        Collections.swap(export, position(4), position(6));

        assertWrong("line 6: position 4 comes after position 6");
    }

    @Test
    void events_with_exchanged_positions_are_reported() {
        String four = export.get(position(4)).replace("\"position\":4", "\"position\":6");
        String six = export.get(position(6)).replace("\"position\":6", "\"position\":4");
        int index = position(4);
        export.set(index, six);
        export.set(index + 1, four);

        assertWrong("line 5: position 4: expected the event that was sealed as ");
    }

    @Test
    void a_removed_event_contradicts_the_event_count_of_the_head() {
        export.remove(position(6));

        assertWrong(
                "line 6: head 1 (after position 0, up to position 6) events: expected 3, found 2");
    }

    @Test
    void a_removed_event_contradicts_the_next_event_of_the_stream() {
        export.remove(position(2));

        assertWrong("line 5: position 6: expected event 0 of stream a, found event 1");
    }

    @Test
    void a_removed_stream_contradicts_the_event_count_of_the_head() {
        export.removeIf(line -> line.contains("\"stream\":\"b\""));

        assertWrong("line 6: head 1 (after position 0, up to position 6) events: expected 3,");
    }

    @Test
    void a_truncated_export_fails_verification() {
        for (int lines = 0; lines < export.size(); lines++) {
            List<String> rest = export.subList(0, lines);
            assertThat(verify(rest).status()).as("%d lines", lines).isEqualTo(1);
        }
        byte[] whole = bytes(export);
        byte[] cut = Arrays.copyOf(whole, whole.length - 5);
        assertThat(run(cut, List.of(key(), "-")).text())
                .startsWith("WRONG: line 13: not a line of an export, or cut off");
    }

    @Test
    void a_truncated_export_with_an_edited_count_contradicts_a_kept_head() {
        export = new ArrayList<>(export.subList(0, export.size() - 3));
        export.set(0, export.getFirst().replace("\"heads\":3", "\"heads\":2"));

        assertThat(verify().status()).isZero();
        assertWrongBesideTheNewest("ends at head 2, and head 3 was kept");
    }
}
