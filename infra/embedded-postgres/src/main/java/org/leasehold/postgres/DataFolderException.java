package org.leasehold.postgres;

import org.jspecify.annotations.Nullable;

/** An unusable data folder. The message says why, in one sentence for operators. */
public final class DataFolderException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    DataFolderException(String message) {
        super(message);
    }

    DataFolderException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
