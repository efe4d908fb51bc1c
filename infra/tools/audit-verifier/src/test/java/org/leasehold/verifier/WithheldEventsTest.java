package org.leasehold.verifier;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.seal.ExportLine;
import org.leasehold.seal.ExportLine.Event;
import org.leasehold.seal.ExportLine.EventLocation;
import org.leasehold.seal.ExportLine.Withheld;
import org.leasehold.seal.Hash;
import org.leasehold.seal.TreeHead;

/** The events that an export withholds. */
class WithheldEventsTest extends AuditVerifierFixture {

    private static final String ALLOW_WITHHELD = "--allow-withheld";

    @Test
    void withheld_events_are_counted_and_their_seals_are_checked() {
        newest = liveInSecret(true);

        Answer answer = verify(ALLOW_WITHHELD);
        assertThat(answer.text()).contains("3 events of 2", "1 of them are withheld");
        assertThat(answer.text()).doesNotContain("do not say");
        assertThat(answer.status()).isZero();
        assertWithheldSealIsChecked();
    }

    private TreeHead liveInSecret(boolean named) {
        history = new SealedEventLog();
        history.happen("a", "one");
        history.happen("Property", "host/gpu", "nobody", "secret", named);
        history.happen("a", "two");
        TreeHead head = history.sign(FIRST);
        export = history.export();
        return head;
    }

    private void assertWithheldSealIsChecked() {
        int index = indexOf(line -> line.startsWith("{\"withheld\""));
        String hash = export.get(index).replaceFirst(".*\"hash\":\"", "").substring(0, 64);
        export.set(index, export.get(index).replace(hash, Hash.NONE.hex()));
        assertWrong("head 1 (after position 0, up to position 6) chain: ");
    }

    @Test
    void withheld_events_without_a_stream_are_checked_by_the_chain() {
        newest = liveInSecret(false);

        Answer answer = verify(ALLOW_WITHHELD);
        assertThat(answer.text()).contains("1 of these do not name their stream");
        assertThat(answer.status()).isZero();
        assertWithheldSealIsChecked();
    }

    @Test
    void an_event_replaced_by_the_bare_seal_is_reported_as_withheld() {
        withhold(position(10), true);

        assertMissed("the export has only the seals of 1 events, the first at position 10.");
    }

    /** Withholds an event without a notice, as any owner of an export can do. */
    private void withhold(int index, boolean named) {
        Event event = (Event) ExportLine.of(export.get(index));
        EventLocation left =
                named ? event.location() : new EventLocation(event.location().position(), null);
        export.set(index, new Withheld(left, event.hash()).text());
    }

    /** Asserts that only withheld events are reported; the user decides if they may be missing. */
    private void assertMissed(String report) {
        Answer answer = verify("--until=2026-11-21");
        assertThat(answer.text())
                .doesNotContain("WRONG", "OLD")
                .contains("\n--kept-head=3:", "\nWITHHELD: " + report);
        assertThat(answer.status()).isEqualTo(1);
        assertThat(verify(ALLOW_WITHHELD).text()).doesNotContain("WITHHELD");
        assertThat(verify(ALLOW_WITHHELD).status()).isZero();
    }

    @Test
    void a_stream_replaced_by_unnamed_seals_is_reported_as_withheld() {
        withhold(position(4), false);
        withhold(position(12), false);

        assertMissed("the export has only the seals of 2 events, the first at position 4.");
    }

    @Test
    void an_edited_event_in_an_export_with_withheld_events_is_reported() {
        withhold(position(4), true);
        edit("\"four\"", "\"for\"");

        assertWrong("line 9: position 10: ");
    }
}
