package org.leasehold.verifier;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.leasehold.seal.SigningKey;
import org.leasehold.seal.TreeHead;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.Predicate;

/** An export of sealed events with three signed heads, and edits of it. */
abstract class AuditVerifierFixture {

    /** The number of lines before the events: the first line, and two keys. */
    private static final int BEFORE = 3;

    static final SigningKey FIRST = SigningKey.of(SigningKey.generate());
    static final SigningKey SECOND = SigningKey.of(SigningKey.generate());

    @TempDir Path folder;
    SealedEventLog history = new SealedEventLog();
    TreeHead newest = live(history, FIRST, SECOND);
    List<String> export = history.export();

    record Answer(int status, String text) {}

    /** Positions 2, 4, 6, head 1, 8, 10, head 2 by another key, 12, 14, head 3. */
    static TreeHead live(SealedEventLog history, SigningKey first, SigningKey second) {
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

    void writeKey(SigningKey key) throws IOException {
        Files.writeString(folder.resolve("key.pem"), pem(key));
    }

    void assertWrong(String... errors) {
        assertWrong(verify(), errors);
    }

    static void assertWrong(Answer answer, String... errors) {
        assertThat(answer.text()).startsWith("WRONG: line ").contains(errors);
        assertThat(answer.status()).isEqualTo(1);
    }

    void assertWrongBesideTheNewest(String error) {
        assertWrong(verify("--kept-head=3:" + newest.hash()), error);
    }

    void edit(String from, String to) {
        int index = indexOf(line -> line.contains(from));
        export.set(index, export.get(index).replace(from, to));
    }

    /** Returns the first event of a new stream, with a valid seal. */
    static String event(String stream, int position) {
        SealedEventLog other = new SealedEventLog();
        for (int i = 2; i < position; i += 2) {
            other.happen("x", "filler");
        }
        other.happen(stream, "forged");
        return other.export().getLast();
    }

    int position(long position) {
        return indexOf(line -> line.contains("\"position\":" + position + ","));
    }

    int indexOf(Predicate<String> wanted) {
        for (int i = BEFORE - 1; i < export.size(); i++) {
            if (wanted.test(export.get(i))) {
                return i;
            }
        }
        throw new AssertionError("there is no such line");
    }

    Answer verify(String... more) {
        List<String> words = new ArrayList<>(List.of(more));
        words.add(key());
        words.add("-");
        return run(bytes(export), words);
    }

    Answer verify(List<String> lines) {
        return run(bytes(lines), List.of(key(), "-"));
    }

    static Answer run(byte[] export, List<String> words) {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(output, true, StandardCharsets.UTF_8);
        int status = AuditVerifier.run(words, new ByteArrayInputStream(export), out, out);
        return new Answer(status, output.toString(StandardCharsets.UTF_8));
    }

    static byte[] bytes(List<String> lines) {
        StringBuilder all = new StringBuilder();
        lines.forEach(line -> all.append(line).append('\n'));
        return all.toString().getBytes(StandardCharsets.UTF_8);
    }

    String key() {
        return "--key=" + folder.resolve("key.pem");
    }

    static String pem(SigningKey key) {
        return "-----BEGIN PUBLIC KEY-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key.publicKey())
                + "\n-----END PUBLIC KEY-----\n";
    }
}
