package org.leasehold.postgres;

import org.jspecify.annotations.Nullable;

/** A data folder that an engine cannot use. The message says why, in one sentence for operators. */
public final class DataFolderException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    DataFolderException(String message) {
        super(message);
    }

    DataFolderException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
