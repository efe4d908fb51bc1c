package org.leasehold.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Files and folders that only the account of this process can read. */
public final class PrivateFiles {

    static final Set<PosixFilePermission> FOLDER_MODE =
            PosixFilePermissions.fromString("rwx------");

    private static final Set<PosixFilePermission> FILE_MODE =
            PosixFilePermissions.fromString("rw-------");

    private PrivateFiles() {}

    /**
     * Writes a file with mode 0600, and replaces an older one. Readers see the old text or the new
     * one, never a part of it.
     */
    public static void write(Path file, String text) throws IOException {
        Path draft =
                Files.createTempFile(
                        file.toAbsolutePath().getParent(),
                        String.valueOf(file.getFileName()),
                        ".draft",
                        PosixFilePermissions.asFileAttribute(FILE_MODE));
        try {
            Files.writeString(draft, text, StandardOpenOption.SYNC);
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(draft);
        }
    }

    /** Creates a folder with mode 0700, and its parents with the mode of the process. */
    static void createFolder(Path folder) throws IOException {
        Path parent = folder.getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        if (!Files.isDirectory(folder)) {
            Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(FOLDER_MODE));
            // The process may mask the mode further.
            Files.setPosixFilePermissions(folder, FOLDER_MODE);
        }
    }
}
