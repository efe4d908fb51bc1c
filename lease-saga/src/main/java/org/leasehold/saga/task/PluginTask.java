package org.leasehold.saga.task;

import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Action;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.LeaseId;
import org.leasehold.lease.ReservationId;
import org.leasehold.lease.Tenure;
import org.leasehold.query.Stuck.Change;
import org.leasehold.query.Stuck.Target;

import java.util.List;

/** What a plugin is to be asked for. */
public sealed interface PluginTask {

    /** Tasks of one subject run one after the other, in the order in which they were submitted. */
    String subject();

    /** Names the task: the same work is not submitted twice. */
    String key();

    /** What is to be done, in a word. */
    String verb();

    /** What operators are told that it is for. */
    Target target();

    /** Something for a reservation. Everything but the ids is looked up when it is done. */
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

    /**
     * Something for a reservation that may only be done as long as its tenure is the current one.
     */
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
     * It has no tenure, for nothing is held yet: it comes to nothing when the start is near, and
     * when a start or an end was submitted.
     */
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

    record Start(LeaseId lease, Tenure tenure) implements TenureTask {

        @Override
        public Action action() {
            return Action.START;
        }
    }

    record Adjust(LeaseId lease, Tenure tenure, List<Allocation> leaving) implements TenureTask {

        public Adjust {
            leaving = List.copyOf(leaving);
        }

        @Override
        public Action action() {
            return Action.ADJUST;
        }
    }

    /** It has no tenure: it comes to nothing when an end was submitted, which is always later. */
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

    record End(LeaseId lease, Tenure tenure) implements TenureTask {

        @Override
        public Action action() {
            return Action.END;
        }
    }

    /** Something for a resource. A name is a subject: it may be enrolled again under another id. */
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

    record Enrol(ResourceId resource, ResourceKind kind, String name) implements ResourceTask {

        @Override
        public Change change() {
            return Change.ENROL;
        }
    }

    record Retire(ResourceId resource, ResourceKind kind, String name) implements ResourceTask {

        @Override
        public Change change() {
            return Change.RETIRE;
        }
    }
}
