package org.leasehold.gateway.v1;

import org.leasehold.gateway.limits.EngineActivity;

import java.util.concurrent.atomic.AtomicInteger;

/** The activity of an idle engine. It counts how often a list asks for it. */
final class RecordedActivity implements EngineActivity {

    private final AtomicInteger questions = new AtomicInteger();

    @Override
    public boolean isBusy() {
        questions.incrementAndGet();
        return false;
    }

    /** Returns the number of questions since the last call. */
    int takeQuestions() {
        return questions.getAndSet(0);
    }
}
