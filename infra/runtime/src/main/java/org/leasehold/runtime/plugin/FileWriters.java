package org.leasehold.runtime.plugin;

import org.jspecify.annotations.Nullable;
import org.leasehold.postgres.DataFolder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The accounts that can change a file: its owner, its group, all others. */
final class FileWriters {

    private static final int GROUP_WRITES = 0020;
    private static final int OTHERS_WRITE = 0002;

    /** In a folder with this mode, such as {@code /tmp}, accounts cannot move others' files. */
    private static final int STICKY = 01000;

    private static final int ROOT = 0;

    private FileWriters() {}

    /**
     * Returns a sentence about another account than this process's and root that can change or
     * replace the file; null if there is none. An account that can write to a parent folder can
     * replace the file.
     *
     * @param file an absolute path without links
     */
    static @Nullable String findForeign(Path file) throws IOException {
        int account = (int) DataFolder.accountId();
        for (@Nullable Path each = file; each != null; each = each.getParent()) {
            int owner = (int) Files.getAttribute(each, "unix:uid");
            int mode = (int) Files.getAttribute(each, "unix:mode");
            if (owner != ROOT && owner != account) {
                return "%s belongs to another account: %s"
                        .formatted(each, Files.getOwner(each).getName());
            }
            boolean sticky = !each.equals(file) && (mode & STICKY) != 0;
            if ((mode & (GROUP_WRITES | OTHERS_WRITE)) != 0 && !sticky) {
                return "other accounts can write to %s: check what is in it, then run chmod go-w %s"
                        .formatted(each, each);
            }
        }
        return null;
    }
}
