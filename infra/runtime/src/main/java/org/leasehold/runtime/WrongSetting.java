package org.leasehold.runtime;

import java.io.Serial;

/** A setting that an operator must correct before the program can start. */
final class WrongSetting extends IllegalArgumentException {

    @Serial private static final long serialVersionUID = 1L;

    WrongSetting(String message, Throwable cause) {
        super(message, cause);
    }

    WrongSetting(String message) {
        super(message);
    }
}
