package org.leasehold.command.calendar.stored;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.leasehold.command.calendar.stored.SampleRequests.hosts;
import static org.leasehold.command.calendar.stored.SampleRequests.hours;
import static org.leasehold.command.calendar.stored.SampleRequests.lease;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.command.calendar.Calendar;
import org.leasehold.command.calendar.CalendarRequest.Hold;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

import java.util.Objects;

import javax.sql.DataSource;

/** A group whose commit has an unknown outcome: its claims may be stored or not. */
class UnknownCommitTest {

    private final PostgresCalendarFixture database = new PostgresCalendarFixture().withHosts(3);
    private final Calendar calendar = database.calendar();
    private final CalendarGroupCommit group = Objects.requireNonNull(database.group);

    @BeforeEach
    void fillMemory() {
        database.loadMemory(calendar);
    }

    @Test
    void an_unknown_outcome_invalidates_the_memory() {
        Hold hold = lease(hours(0, 1), hosts(3, 3)).hold();
        TransactionTemplate transactions =
                new TransactionTemplate(new LostConnection(database.jdbc.getDataSource()));

        assertThatThrownBy(
                        () ->
                                transactions.executeWithoutResult(
                                        _ -> {
                                            group.begin();
                                            calendar.executeAndDecide(
                                                    hold, grant -> grant, _ -> true);
                                            group.executePending();
                                        }))
                .isInstanceOf(TransactionSystemException.class);

        assertThat(database.index.isReady()).isFalse();
    }

    @Test
    void an_invalid_memory_is_complete_only_after_it_is_cleared() {
        database.index.invalidate();
        database.index.markComplete();
        assertThat(database.index.isReady()).isFalse();

        database.index.clear();
        database.index.markComplete();
        assertThat(database.index.isReady()).isTrue();
    }

    /** Loses the connection during each commit, which the database then rolls back. */
    private static final class LostConnection extends JdbcTransactionManager {

        private static final long serialVersionUID = 1L;

        LostConnection(DataSource dataSource) {
            super(dataSource);
        }

        @Override
        protected void doCommit(DefaultTransactionStatus status) {
            super.doRollback(status);
            throw new TransactionSystemException("the connection is lost");
        }
    }
}
