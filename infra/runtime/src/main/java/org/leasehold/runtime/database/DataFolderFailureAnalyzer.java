package org.leasehold.runtime.database;

import org.leasehold.postgres.DataFolderException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports an unusable data folder in one sentence, without a stack trace. */
final class DataFolderFailureAnalyzer extends AbstractFailureAnalyzer<DataFolderException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, DataFolderException cause) {
        return new FailureAnalysis(
                cause.getMessage(),
                "Use another folder (leasehold.database.folder), or mend this one.",
                cause);
    }
}
