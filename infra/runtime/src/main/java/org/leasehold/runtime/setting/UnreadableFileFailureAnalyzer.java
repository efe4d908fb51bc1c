package org.leasehold.runtime.setting;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;

/** Reports an unreadable file that a setting names, without a stack trace. */
final class UnreadableFileFailureAnalyzer extends AbstractFailureAnalyzer<IOException> {

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, IOException cause) {
        @Nullable String problem =
                switch (cause) {
                    case NoSuchFileException missing ->
                            "The file " + missing.getFile() + " does not exist";
                    case AccessDeniedException closed ->
                            "The engine may not read the file " + closed.getFile();
                    case FileNotFoundException missing ->
                            "The engine cannot read a file: " + missing.getMessage();
                    default -> null;
                };
        if (problem == null) {
            return null;
        }
        @Nullable UncheckedIOException context = findCause(rootFailure, UncheckedIOException.class);
        return new FailureAnalysis(
                context == null ? problem : "%s (%s)".formatted(problem, context.getMessage()),
                "Correct the setting that names the file, or its permissions.",
                cause);
    }
}
