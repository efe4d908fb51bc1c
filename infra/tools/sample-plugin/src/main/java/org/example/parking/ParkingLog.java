package org.example.parking;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting.Result;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * The only memory of the car park: a file with a line for each space that was {@code given} or
 * {@code taken} back, as in {@code given space-1 <reservation>}. It outlives the engine, and
 * several engines may share it.
 */
final class ParkingLog {

    private final Path file;

    ParkingLog(Path file) {
        this.file = file;
    }

    synchronized Book read() {
        try {
            return readBook();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Changes the log under a lock: no other process writes between the read and the write. */
    synchronized Result change(Function<Book, Result> change) {
        Path guard = file.resolveSibling(file.getFileName() + ".lock");
        try (FileChannel channel =
                        FileChannel.open(
                                guard, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = channel.lock()) {
            Book book = readBook();
            Result result = change.apply(book);
            Files.write(
                    file, book.newLines(), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            return result;
        } catch (IOException unwritable) {
            return new Result.Failed(
                    new Fault(
                            Fault.Kind.RETRYABLE,
                            "The parking log cannot be used: " + unwritable.getMessage()));
        }
    }

    private Book readBook() throws IOException {
        Book book = new Book();
        if (Files.exists(file)) {
            Files.readAllLines(file).forEach(book::replay);
        }
        return book;
    }

    /** The owner of each space. */
    static final class Book {

        private final Map<String, String> ownerBySpace = new TreeMap<>();
        private final List<String> newLines = new ArrayList<>();

        @Nullable String ownerOf(String space) {
            return ownerBySpace.get(space);
        }

        Set<String> reservations() {
            return new TreeSet<>(ownerBySpace.values());
        }

        List<String> spacesOf(String reservation) {
            return ownerBySpace.entrySet().stream()
                    .filter(entry -> entry.getValue().equals(reservation))
                    .map(Map.Entry::getKey)
                    .toList();
        }

        void assign(String space, String reservation) {
            write("given " + space + " " + reservation);
        }

        void release(String space, String reservation) {
            write("taken " + space + " " + reservation);
        }

        private List<String> newLines() {
            return newLines;
        }

        private void write(String line) {
            newLines.add(line);
            replay(line);
        }

        private void replay(String line) {
            String[] words = line.split(" ", -1);
            switch (words[0]) {
                case "given" -> ownerBySpace.put(words[1], words[2]);
                case "taken" -> ownerBySpace.remove(words[1]);
                default -> throw new IllegalStateException("not a parking log: " + line);
            }
        }
    }
}
