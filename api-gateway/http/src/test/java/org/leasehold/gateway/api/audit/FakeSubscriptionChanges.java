package org.leasehold.gateway.api.audit;

import org.jspecify.annotations.Nullable;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.UnknownMarker;
import org.leasehold.readmodel.subscription.SubscriptionChanges;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Returns the changes of a test for all queries. */
public final class FakeSubscriptionChanges implements SubscriptionChanges {

    final List<SubscriptionChange> changes = new CopyOnWriteArrayList<>();

    volatile @Nullable ListChanges asked;

    @Override
    public Page<SubscriptionChange> list(ListChanges question) {
        asked = question;
        String marker = question.marker();
        if (marker != null) {
            throw new UnknownMarker(marker);
        }
        return new Page<>(List.copyOf(changes), null);
    }
}
