package org.leasehold.verifier;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.seal.Hash;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The arguments and the files that the verifier reads. */
class VerifierArgumentsTest extends AuditVerifierFixture {

    @Test
    void an_export_can_be_read_from_a_file() throws IOException {
        Path file = Files.write(folder.resolve("export"), export);

        assertThat(run(new byte[0], List.of(key(), file.toString())).status()).isZero();
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

    private void assertUnchecked(List<String> words, String error) {
        Answer answer = run(bytes(export), words);
        assertThat(answer.text()).contains(error).doesNotContain("secret");
        assertThat(answer.status()).isEqualTo(2);
    }

    @Test
    void help_gives_status_0_and_the_options() {
        Answer answer = run(new byte[0], List.of("--help"));

        assertThat(answer.text()).contains("--kept-head=NUMBER:HASH", "Exit status:");
        assertThat(answer.status()).isZero();
    }
}
