package org.leasehold.saga.task;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.CurrentTenures;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.SortDirection;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.readmodel.lease.Leases.ListLeases;
import org.leasehold.readmodel.lease.ReservationView;
import org.leasehold.resource.Acting;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The reservations of a project that hold resources now, except one. */
final class OtherHolders implements Acting.Others {

    /** Leases with these statuses may hold resources. */
    private static final Set<LeaseStatus> HOLDING_STATUSES =
            EnumSet.complementOf(
                    EnumSet.of(
                            LeaseStatus.RETRYING,
                            LeaseStatus.PENDING,
                            LeaseStatus.DELAYED,
                            LeaseStatus.ENDED));

    private static final int PAGE_SIZE = 1_000;

    private final Leases leases;
    private final CurrentTenures tenures;
    private final ProjectId project;
    private final ReservationView own;

    OtherHolders(Leases leases, CurrentTenures tenures, ProjectId project, ReservationView own) {
        this.leases = leases;
        this.tenures = tenures;
        this.project = project;
        this.own = own;
    }

    @Override
    public Optional<Map<String, @Nullable Object>> requestOf(ReservationId holder) {
        return tenures.leaseOf(holder)
                .flatMap(lease -> leases.find(lease, null))
                .flatMap(lease -> lease.reservation(holder))
                .map(ReservationView::parameters);
    }

    @Override
    public List<Acting.Other> findHolders(String parameter, Object value) {
        List<Acting.Other> others = new ArrayList<>();
        ListLeases question =
                new ListLeases(
                        project, HOLDING_STATUSES, null, SortDirection.ASCENDING, null, PAGE_SIZE);
        Page<LeaseView> page = leases.list(question);
        while (true) {
            page.items().stream()
                    .flatMap(lease -> lease.reservations().stream())
                    .filter(other -> !other.id().equals(own.id()))
                    .filter(other -> other.kind().equals(own.kind()))
                    .filter(other -> value.equals(other.parameters().get(parameter)))
                    .filter(other -> tenures.leaseOf(other.id()).isPresent())
                    .map(other -> new Acting.Other(other.id(), isStarting(other)))
                    .forEach(others::add);
            String next = page.next();
            if (next == null) {
                return others;
            }
            page = leases.list(question.after(next));
        }
    }

    private static boolean isStarting(ReservationView other) {
        return other.status() == ReservationView.Status.PENDING;
    }
}
