package org.leasehold.command.epoch;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A file outside the database that names the last event. Its length never changes and is far below
 * a disk's sector. A write in place leaves the old content or the new one, even when the machine
 * fails.
 */
public final class LastEventFile {

    private static final String UUID_TEXT = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
    private static final Pattern CONTENT =
            Pattern.compile(
                    "epoch ([0-9]{19})\nposition ([0-9]{19})\nevent (%s)\n".formatted(UUID_TEXT));

    private final Path path;

    public LastEventFile(Path path) {
        this.path = path.toAbsolutePath();
    }

    /** Returns the absolute path of the file. */
    public Path path() {
        return path;
    }

    /**
     * Reads the last event; empty if none was written yet.
     *
     * @throws IOException if the file cannot be read, or contains something else
     */
    public Optional<LastEvent> read() throws IOException {
        String content;
        try {
            content = Files.readString(path, StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException _) {
            return Optional.empty();
        }
        if (content.isEmpty()) {
            return Optional.empty();
        }
        Matcher matcher = CONTENT.matcher(content);
        if (!matcher.matches()) {
            throw new IOException("The file " + path + " does not name an event");
        }
        return Optional.of(
                new LastEvent(
                        Long.parseLong(matcher.group(1)),
                        Long.parseLong(matcher.group(2)),
                        UUID.fromString(matcher.group(3))));
    }

    /**
     * Replaces the last event. When this method returns, the event is on the disk.
     *
     * @throws IOException if the file cannot be written
     */
    public void write(LastEvent last) throws IOException {
        String content =
                String.format(
                        Locale.ROOT,
                        "epoch %019d\nposition %019d\nevent %s\n",
                        last.epoch(),
                        last.position(),
                        last.id());
        try (FileChannel file =
                FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(content.getBytes(StandardCharsets.ISO_8859_1));
            while (bytes.hasRemaining()) {
                file.write(bytes, bytes.position());
            }
            file.force(false);
        }
    }
}
