package org.leasehold.postgres;

import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** PostgreSQL's programs, unpacked from the class path into the data folder. */
final class PostgresBinaries {

    private static final String PREFIX = "postgresql-";
    private static final int HASH_BYTES = 8;
    private static final int OWNER_EXECUTE_BIT = 0100;

    private final Path folder;

    private PostgresBinaries(Path folder) {
        this.folder = folder;
    }

    /** Unpacks the programs if this version is not there yet, and deletes other versions. */
    static PostgresBinaries install(Path dataFolder) throws IOException {
        String archive = archiveName();
        Path folder = dataFolder.resolve(PREFIX + hash(archive));
        if (!Files.isDirectory(folder)) {
            for (Path old : findInstalledFolders(dataFolder)) {
                delete(old);
            }
            Path draft = dataFolder.resolve(PREFIX + "draft");
            PrivateFiles.createFolder(draft);
            unpack(archive, draft);
            Files.move(draft, folder);
        }
        return new PostgresBinaries(folder);
    }

    Path program(String name) {
        return folder.resolve("bin").resolve(name);
    }

    private static String archiveName() {
        String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        String machine = System.getProperty("os.arch");
        return "/postgres-%s-%s.txz"
                .formatted(
                        system.startsWith("mac") ? "darwin" : system,
                        machine.equals("amd64") ? "x86_64" : machine);
    }

    private static InputStream open(String archive) {
        InputStream stream = PostgresBinaries.class.getResourceAsStream(archive);
        if (stream == null) {
            throw new IllegalStateException(
                    "There is no embedded PostgreSQL for this machine ("
                            + archive
                            + "): use a server of your own with leasehold.database.url");
        }
        return new BufferedInputStream(stream);
    }

    private static String hash(String archive) throws IOException {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            try (InputStream stream = new DigestInputStream(open(archive), digest)) {
                stream.transferTo(OutputStream.nullOutputStream());
            }
            return HexFormat.of().formatHex(digest.digest(), 0, HASH_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void unpack(String archive, Path folder) throws IOException {
        try (TarArchiveInputStream tar =
                new TarArchiveInputStream(new XZInputStream(open(archive)))) {
            for (TarArchiveEntry entry = tar.getNextEntry();
                    entry != null;
                    entry = tar.getNextEntry()) {
                unpack(tar, entry, folder.resolve(entry.getName()).normalize());
            }
        }
    }

    private static void unpack(InputStream content, TarArchiveEntry entry, Path file)
            throws IOException {
        if (entry.isDirectory()) {
            Files.createDirectories(file);
            return;
        }
        Files.createDirectories(file.getParent());
        if (entry.isSymbolicLink()) {
            Files.createSymbolicLink(file, Path.of(entry.getLinkName()));
            return;
        }
        Files.copy(content, file);
        boolean runs = (entry.getMode() & OWNER_EXECUTE_BIT) != 0;
        Files.setPosixFilePermissions(
                file, PosixFilePermissions.fromString(runs ? "rwx------" : "rw-------"));
    }

    private static List<Path> findInstalledFolders(Path dataFolder) throws IOException {
        try (Stream<Path> files = Files.list(dataFolder)) {
            return files.filter(file -> String.valueOf(file.getFileName()).startsWith(PREFIX))
                    .toList();
        }
    }

    /** Deletes a folder and its content; it deletes links and does not follow them. */
    static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        List<Path> files;
        try (Stream<Path> walk = Files.walk(folder)) {
            files = walk.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : files) {
            Files.delete(file);
        }
    }
}
