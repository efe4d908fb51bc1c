package org.leasehold.runtime;

import java.io.Serial;

/** A setting that an operator must correct before the program can start. */
final class InvalidSettingException extends IllegalArgumentException {

    @Serial private static final long serialVersionUID = 1L;

    InvalidSettingException(String message, Throwable cause) {
        super(message, cause);
    }

    InvalidSettingException(String message) {
        super(message);
    }
}
