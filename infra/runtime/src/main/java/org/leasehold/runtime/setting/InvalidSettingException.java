package org.leasehold.runtime.setting;

import java.io.Serial;

/** A setting that an operator must correct before the program can start. */
public final class InvalidSettingException extends IllegalArgumentException {

    @Serial private static final long serialVersionUID = 1L;

    public InvalidSettingException(String message, Throwable cause) {
        super(message, cause);
    }

    public InvalidSettingException(String message) {
        super(message);
    }
}
