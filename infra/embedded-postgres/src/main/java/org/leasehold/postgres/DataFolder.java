package org.leasehold.postgres;

import com.sun.security.auth.module.UnixSystem;

import org.jspecify.annotations.Nullable;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A data folder that one engine holds. It belongs to the account of this process, has mode 0700,
 * and is locked until it is closed or the process ends.
 */
public final class DataFolder implements Closeable {

    private static final String LOCK_FILE = "engine.lock";

    /** Characters that a shell would interpret: PostgreSQL's programs pass the name to a shell. */
    private static final Pattern SHELL_CHARACTERS = Pattern.compile("[\"'`$\\\\\\r\\n]");

    private final Path path;
    private final FileChannel lock;

    private DataFolder(Path path, FileChannel lock) {
        this.path = path;
        this.lock = lock;
    }

    /**
     * Creates the folder if there is none, and locks it. Denies other accounts the access to a
     * folder of an older version.
     *
     * @throws DataFolderException if another engine holds it, if it belongs to another account, if
     *     others could have written to it, or if it cannot be created
     */
    public static DataFolder open(Path folder) {
        Path path = folder.toAbsolutePath().normalize();
        if (SHELL_CHARACTERS.matcher(path.toString()).find()) {
            throw new DataFolderException(
                    "The name of the data folder "
                            + path
                            + " has a quote, a dollar sign, a backslash or a line break");
        }
        try {
            PrivateFiles.createFolder(path);
            path = path.toRealPath();
            restrictAccess(path);
            return new DataFolder(path, lock(path));
        } catch (IOException e) {
            throw new DataFolderException("The data folder " + path + " cannot be used: " + e, e);
        }
    }

    /**
     * Returns the path of a name that an operator wrote.
     *
     * @throws DataFolderException if the locale of this process cannot express the name
     */
    public static Path parsePath(String name) {
        String problem =
                "The locale of this process cannot express the name of the data folder: set"
                        + " LC_ALL=C.UTF-8, or choose a name of ASCII letters";
        try {
            Path path = Path.of(name);
            if (path.toAbsolutePath().toString().indexOf('\uFFFD') >= 0) {
                throw new DataFolderException(problem);
            }
            return path;
        } catch (InvalidPathException e) {
            throw new DataFolderException(problem, e);
        }
    }

    private static void restrictAccess(Path path) throws IOException {
        if (!Files.getAttribute(path, "unix:uid").equals((int) accountId())) {
            throw new DataFolderException(
                    "The data folder " + path + " belongs to another account: " + owner(path));
        }
        Set<PosixFilePermission> mode = Files.getPosixFilePermissions(path);
        if (mode.contains(PosixFilePermission.OTHERS_WRITE)
                || mode.contains(PosixFilePermission.GROUP_WRITE)) {
            throw new DataFolderException(
                    "Other accounts can write to the data folder "
                            + path
                            + ": check what is in it, then run chmod 700");
        }
        if (!mode.equals(PrivateFiles.FOLDER_MODE)) {
            Files.setPosixFilePermissions(path, PrivateFiles.FOLDER_MODE);
        }
    }

    /** Returns the numeric id of this process's account. */
    public static long accountId() {
        return new UnixSystem().getUid();
    }

    private static String owner(Path path) throws IOException {
        return Files.getOwner(path).getName();
    }

    /** Locks the folder. The lock ends with the process, even after a crash. */
    private static FileChannel lock(Path path) throws IOException {
        FileChannel channel =
                FileChannel.open(
                        path.resolve(LOCK_FILE),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE);
        try {
            if (channel.tryLock() == null) {
                channel.close();
                throw inUse(path, null);
            }
            return channel;
        } catch (OverlappingFileLockException e) {
            channel.close();
            throw inUse(path, e);
        }
    }

    private static DataFolderException inUse(Path path, @Nullable Throwable cause) {
        return new DataFolderException(
                "The data folder " + path + " is in use by another engine", cause);
    }

    /** Returns the path of a folder as the engine that holds it sees it. */
    static Path resolveRealPath(Path folder) throws IOException {
        return Files.exists(folder) ? folder.toRealPath() : folder.toAbsolutePath().normalize();
    }

    /** Returns the absolute path of the folder, without links. */
    public Path path() {
        return path;
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }
}
