package org.leasehold.runtime;

import org.leasehold.runtime.UnknownSettingCheck.UnknownSettings;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports unknown settings without a stack trace. */
final class UnknownSettingFailureAnalyzer extends AbstractFailureAnalyzer<UnknownSettings> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, UnknownSettings cause) {
        return new FailureAnalysis(
                cause.getMessage(), "Correct or remove what is not a setting.", cause);
    }
}
