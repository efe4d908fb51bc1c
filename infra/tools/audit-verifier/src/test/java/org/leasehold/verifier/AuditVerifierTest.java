package org.leasehold.verifier;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.leasehold.seal.ExportLine;
import org.leasehold.seal.ExportLine.Event;
import org.leasehold.seal.ExportLine.EventLocation;
import org.leasehold.seal.ExportLine.Withheld;
import org.leasehold.seal.Hash;
import org.leasehold.seal.SigningKey;
import org.leasehold.seal.TreeHead;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;

/** Tests that every manipulation of an export is found and located. */
class AuditVerifierTest {

    /** The number of lines before the events: the first line, and two keys. */
    private static final int BEFORE = 3;

    private static final String ALLOW_WITHHELD = "--allow-withheld";

    private static final SigningKey FIRST = SigningKey.of(SigningKey.generate());
    private static final SigningKey SECOND = SigningKey.of(SigningKey.generate());
    private static final SigningKey EVE = SigningKey.of(SigningKey.generate());

    @TempDir private Path folder;
    private SealedEventLog history = new SealedEventLog();
    private TreeHead newest = live(history, FIRST, SECOND);
    private List<String> export = history.export();

    private record Answer(int status, String text) {}

    /** Positions 2, 4, 6, head 1, 8, 10, head 2 by another key, 12, 14, head 3. */
    private static TreeHead live(SealedEventLog history, SigningKey first, SigningKey second) {
        history.happen("a", "one");
        history.happen("b", "two");
        history.happen("a", "three");
        history.sign(first);
        history.happen("Resource", "7", "nobody", "host", true);
        history.happen("a", "four");
        history.sign(second);
        history.happen("b", "five");
        history.happen("a", "six");
        return history.sign(second);
    }

    @BeforeEach
    void writeKey() throws IOException {
        writeKey(FIRST);
    }

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
    void an_export_can_be_read_from_a_file() throws IOException {
        Path file = Files.write(folder.resolve("export"), export);

        assertThat(run(new byte[0], List.of(key(), file.toString())).status()).isZero();
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

    @Test
    void an_export_that_ends_before_the_expected_day_is_reported_as_old() {
        history = new SealedEventLog();
        history.day = LocalDate.of(2026, 11, 20);
        live(history, FIRST, SECOND);
        export = history.export();
        Answer whole = verify("--until=2026-11-20");
        Answer old = verify("--until=2026-11-21");

        assertThat(whole.text()).contains("at 2026-11-21T00:33:30.123456Z, of 2026-11-20;");
        assertThat(whole.status()).isZero();
        assertThat(old.text())
                .isEqualTo(
                        whole.text()
                                + "OLD: the last head of the export does not cover all of"
                                + " 2026-11-21\n");
        assertThat(old.status()).isEqualTo(3);
    }

    @Test
    void a_head_signed_by_an_unknown_key_fails_verification() {
        SealedEventLog another = new SealedEventLog();
        live(another, EVE, EVE);
        export = another.export();

        assertWrong("head 1: not signed by a key that is believed; it names " + EVE.id());
    }

    @Test
    void an_export_with_an_exchanged_key_contradicts_a_kept_head() throws IOException {
        SealedEventLog another = new SealedEventLog();
        live(another, EVE, EVE);
        export = another.export();
        writeKey(EVE);

        assertThat(verify().status()).isZero();
        assertWrongBesideTheNewest("head 3, which was kept: expected ");
    }

    @Test
    void a_key_not_signed_by_the_previous_key_is_not_trusted() throws IOException {
        export.set(2, export.get(2).replaceFirst("\"signature\":\"....", "\"signature\":\"AAAA"));

        assertWrong("line 10: head 2: not signed by a key that is believed");

        Path second = folder.resolve("second.pem");
        Files.writeString(second, pem(SECOND));
        assertThat(verify("--key=" + second).status()).isZero();
    }

    @Test
    void an_edited_head_is_reported() {
        edit("\"events\":5", "\"events\":4");

        assertWrong("line 10: head 2: not signed by a key that is believed");
    }

    @Test
    void a_head_with_the_signature_of_another_head_is_reported() {
        String signature = export.get(9).replaceFirst(".*\"signature\"", "");
        export.set(12, export.get(12).replaceFirst("\"signature\".*", "\"signature\"") + signature);

        assertWrong("line 13: head 3: not signed by a key that is believed");
    }

    @Test
    void a_removed_head_is_reported() {
        export.remove(9);

        assertWrong("line 12: head 2 number: expected 2, found 3");
    }

    @Test
    void heads_without_events_are_reported() {
        export.removeIf(line -> line.startsWith("{\"event\""));

        assertWrong("line 4: head 1 (after position 0, up to position 6) events: ");
    }

    @Test
    void an_event_after_the_last_head_is_reported() {
        export.add(event("c", 16));

        assertWrong("line 14: something follows head 3, the last");
    }

    @Test
    void an_export_without_a_signed_head_fails_verification() {
        export = new SealedEventLog().export();

        assertWrong("nothing has been signed yet");
    }

    @Test
    void withheld_events_are_counted_and_their_seals_are_checked() {
        newest = liveInSecret(true);

        Answer answer = verify(ALLOW_WITHHELD);
        assertThat(answer.text()).contains("3 events of 2", "1 of them are withheld");
        assertThat(answer.text()).doesNotContain("do not say");
        assertThat(answer.status()).isZero();
        assertWithheldSealIsChecked();
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
    void a_malformed_line_is_reported_with_the_line_number() {
        List<String> whole = List.copyOf(export);
        for (String line :
                List.of(
                        "",
                        "{}",
                        "null",
                        "{\"event\":",
                        "{\"event\":{},\"hash\":\"\"}",
                        "{\"event\":{},\"hash\":\"" + Hash.NONE + "\"}",
                        "{\"withheld\":{},\"hash\":\"" + Hash.NONE + "\"}",
                        "{\"head\":{},\"signature\":\"\"}",
                        "{\"key\":{}}",
                        "{\"key\":{\"id\":\"x\",\"public_key\":\"AAAA\",\"signature\":null,"
                                + "\"signed_by\":null},\"event\":{}}",
                        "{\"withheld\":{\"payload\":{},\"position\":6},\"hash\":\""
                                + Hash.NONE
                                + "\"}",
                        "{\"key\":{\"id\":\"x\",\"public_key\":\"?\",\"signed_by\":\"%s\",\"signature\":\"?\"}}"
                                .formatted(FIRST.id()),
                        whole.getFirst(),
                        "{\"export\":7}")) {
            export = new ArrayList<>(whole);
            export.add(5, line);
            assertThat(verify().text()).as(line).startsWith("WRONG: line 6: ");
            assertThat(verify().status()).isEqualTo(1);
        }
        export = new ArrayList<>(whole);
        export.set(
                0,
                export.getFirst().replace("\"installation\":\"", "\"installation\":\"\\u001b[8m"));
        assertWrong("line 1: not a line of an export, or cut off: not the name of an installation");
        export = new ArrayList<>(whole);
        export.set(0, export.getFirst().replace("\"version\":1", "\"version\":2"));
        assertWrong("line 1: an export of version 2");
        assertThat(run(new byte[] {(byte) 0xff, '\n'}, List.of(key(), "-")))
                .isEqualTo(new Answer(1, "WRONG: line 1: not UTF-8\n"));
    }

    @Test
    void invalid_arguments_give_status_2_and_a_message() throws IOException {
        String noKey = Files.writeString(folder.resolve("x.pem"), "secret").toString();

        assertUnchecked(List.of(), "'--key=FILE'");
        assertUnchecked(List.of(key()), "'EXPORT'");
        assertUnchecked(List.of("-"), "'--key=FILE'");
        assertUnchecked(List.of(key(), "-", "--frobnicate"), "Unknown option: '--frobnicate'");
        assertUnchecked(List.of("--key=" + noKey, "-"), "x.pem");
        assertUnchecked(List.of("--key=nowhere.pem", "-"), "cannot read nowhere.pem");
        assertUnchecked(List.of(key(), folder + "/nothing"), "nothing");
        assertUnchecked(
                List.of(key(), "--until=tomorrow", "-"), "Invalid value for option '--until'");
        for (String kept : List.of("3", "three:" + Hash.NONE, "0:" + Hash.NONE, "3:abc", ":")) {
            assertUnchecked(List.of(key(), "--kept-head=" + kept, "-"), "not NUMBER:HASH: " + kept);
        }
        assertUnchecked(
                List.of(key(), "--kept-head=3:" + newest.hash(), "--kept-head=3:" + Hash.NONE, "-"),
                "two heads have the number 3");
    }

    @Test
    void help_gives_status_0_and_the_options() {
        Answer answer = run(new byte[0], List.of("--help"));

        assertThat(answer.text()).contains("--kept-head=NUMBER:HASH", "Exit status:");
        assertThat(answer.status()).isZero();
    }

    private void assertUnchecked(List<String> words, String error) {
        Answer answer = run(bytes(export), words);
        assertThat(answer.text()).contains(error).doesNotContain("secret");
        assertThat(answer.status()).isEqualTo(2);
    }

    private void assertWrong(String... errors) {
        assertWrong(verify(), errors);
    }

    private void assertWrongBesideTheNewest(String error) {
        assertWrong(verify("--kept-head=3:" + newest.hash()), error);
    }

    private static void assertWrong(Answer answer, String... errors) {
        assertThat(answer.text()).startsWith("WRONG: line ").contains(errors);
        assertThat(answer.status()).isEqualTo(1);
    }

    private void edit(String from, String to) {
        int index = indexOf(line -> line.contains(from));
        export.set(index, export.get(index).replace(from, to));
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

    /** Returns the first event of a new stream, with a valid seal. */
    private static String event(String stream, int position) {
        SealedEventLog other = new SealedEventLog();
        for (int i = 2; i < position; i += 2) {
            other.happen("x", "filler");
        }
        other.happen(stream, "forged");
        return other.export().getLast();
    }

    private int position(long position) {
        return indexOf(line -> line.contains("\"position\":" + position + ","));
    }

    private int indexOf(Predicate<String> wanted) {
        for (int i = BEFORE - 1; i < export.size(); i++) {
            if (wanted.test(export.get(i))) {
                return i;
            }
        }
        throw new AssertionError("there is no such line");
    }

    private Answer verify(String... more) {
        List<String> words = new ArrayList<>(List.of(more));
        words.add(key());
        words.add("-");
        return run(bytes(export), words);
    }

    private Answer verify(List<String> lines) {
        return run(bytes(lines), List.of(key(), "-"));
    }

    private static Answer run(byte[] export, List<String> words) {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(output, true, StandardCharsets.UTF_8);
        int status = AuditVerifier.run(words, new ByteArrayInputStream(export), out, out);
        return new Answer(status, output.toString(StandardCharsets.UTF_8));
    }

    private static byte[] bytes(List<String> lines) {
        StringBuilder all = new StringBuilder();
        lines.forEach(line -> all.append(line).append('\n'));
        return all.toString().getBytes(StandardCharsets.UTF_8);
    }

    private String key() {
        return "--key=" + folder.resolve("key.pem");
    }

    private void writeKey(SigningKey key) throws IOException {
        Files.writeString(folder.resolve("key.pem"), pem(key));
    }

    private static String pem(SigningKey key) {
        return "-----BEGIN PUBLIC KEY-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key.publicKey())
                + "\n-----END PUBLIC KEY-----\n";
    }
}
