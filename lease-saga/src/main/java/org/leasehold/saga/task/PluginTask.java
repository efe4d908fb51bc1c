package org.leasehold.saga.task;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Action;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.ResourceMove;
import org.leasehold.readmodel.operation.StuckActionQuery.Change;
import org.leasehold.readmodel.operation.StuckActionQuery.Target;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.StoredName;
import org.leasehold.vocabulary.Tenure;

import java.util.List;

/** A durable call of a plug-in. */
public sealed interface PluginTask {

    /** Returns the subject; its tasks run one after the other, as they were submitted. */
    String subject();

    /** Returns the id of the task: the same work is not submitted twice. */
    String key();

    /** Returns the action as a word. */
    String verb();

    /** Returns the subject and the action for operators. */
    Target target();

    /** A task for a reservation. It has only ids; the rest is read when it runs. */
    sealed interface ReservationTask extends PluginTask {

        LeaseId lease();

        ReservationId reservation();

        Action action();

        @Override
        default String subject() {
            return reservation().toString();
        }

        @Override
        default String verb() {
            return action().name();
        }

        @Override
        default Target target() {
            return new Target.Reservation(lease(), reservation(), action());
        }
    }

    /** A task for a reservation that may only run while its tenure is the current one. */
    sealed interface TenureTask extends ReservationTask {

        Tenure tenure();

        @Override
        default ReservationId reservation() {
            return tenure().reservation();
        }

        @Override
        default String key() {
            return "%s/%s/%s".formatted(subject(), tenure().generation(), verb());
        }
    }

    /**
     * A preparation before the start. It has no tenure, because nothing is held yet. It is dropped
     * when the start is near, and when a start or an end was submitted.
     */
    @StoredName("Prepare")
    record Prepare(LeaseId lease, ReservationId reservation) implements ReservationTask {

        @Override
        public Action action() {
            return Action.PREPARE;
        }

        @Override
        public String key() {
            return "%s/%s".formatted(subject(), verb());
        }
    }

    @StoredName("Start")
    record Start(LeaseId lease, Tenure tenure) implements TenureTask {

        @Override
        public Action action() {
            return Action.START;
        }
    }

    @StoredName("Adjust")
    record Adjust(
            LeaseId lease,
            Tenure tenure,
            List<Allocation> leaving,
            @Nullable List<ResourceMove> moves)
            implements TenureTask {

        public Adjust {
            leaving = List.copyOf(leaving);
            moves = moves == null ? null : List.copyOf(moves);
        }

        /** Creates the task without moves. */
        public Adjust(LeaseId lease, Tenure tenure, List<Allocation> leaving) {
            this(lease, tenure, leaving, null);
        }

        @Override
        public Action action() {
            return Action.ADJUST;
        }
    }

    /** It has no tenure: it is dropped when an end was submitted, which is always later. */
    @StoredName("BeforeEnd")
    record BeforeEnd(LeaseId lease, ReservationId reservation) implements ReservationTask {

        @Override
        public Action action() {
            return Action.BEFORE_END;
        }

        @Override
        public String key() {
            return "%s/%s".formatted(subject(), verb());
        }
    }

    @StoredName("End")
    record End(LeaseId lease, Tenure tenure) implements TenureTask {

        @Override
        public Action action() {
            return Action.END;
        }
    }

    /** A task for a resource. A name is a subject: it may be enrolled again under another id. */
    sealed interface ResourceTask extends PluginTask {

        ResourceId resource();

        ResourceKind kind();

        String name();

        @Override
        default String subject() {
            return "%s/%s".formatted(kind(), name());
        }

        Change change();

        @Override
        default String verb() {
            return change().name();
        }

        @Override
        default Target target() {
            return new Target.Resource(resource(), kind(), name(), change());
        }

        @Override
        default String key() {
            return "%s/%s/%s".formatted(subject(), resource(), verb());
        }
    }

    @StoredName("Enrol")
    record Enrol(ResourceId resource, ResourceKind kind, String name) implements ResourceTask {

        @Override
        public Change change() {
            return Change.ENROL;
        }
    }

    @StoredName("Retire")
    record Retire(ResourceId resource, ResourceKind kind, String name) implements ResourceTask {

        @Override
        public Change change() {
            return Change.RETIRE;
        }
    }
}
