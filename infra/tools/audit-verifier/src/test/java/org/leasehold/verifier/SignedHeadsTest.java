package org.leasehold.verifier;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.seal.SigningKey;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;

/** The manipulations of heads and keys. */
class SignedHeadsTest extends AuditVerifierFixture {

    private static final SigningKey EVE = SigningKey.of(SigningKey.generate());

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
}
