package org.leasehold.gateway.api;

import org.jspecify.annotations.Nullable;
import org.leasehold.query.Page;
import org.leasehold.query.SubscriptionChanges;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Tells what a test says was done, whatever is asked. */
final class ChangesOnPaper implements SubscriptionChanges {

    final List<SubscriptionChange> changes = new CopyOnWriteArrayList<>();

    volatile @Nullable ListChanges asked;

    @Override
    public Page<SubscriptionChange> list(ListChanges question) {
        asked = question;
        if (question.marker() != null) {
            throw new IllegalArgumentException("no page ended there");
        }
        return new Page<>(List.copyOf(changes), null);
    }
}
