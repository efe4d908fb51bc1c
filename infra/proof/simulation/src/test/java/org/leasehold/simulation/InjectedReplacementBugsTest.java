package org.leasehold.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.command.calendar.Calendar;
import org.leasehold.command.calendar.CalendarRequest;
import org.leasehold.command.calendar.CalendarRequest.Replace;
import org.leasehold.command.calendar.Grant;

import java.util.function.Function;
import java.util.function.Predicate;

/** Tests that the simulation detects faults in replacements of resources. */
class InjectedReplacementBugsTest extends InjectedBugsFixture {

    @Test
    void the_simulation_detects_a_replacement_that_moves_no_claim() {
        assertThat(complaint(Announcing::new)).contains("and claimed");
    }

    /** Answers with replacements, and undoes them in the tables. */
    private static final class Announcing extends BrokenCalendar {
        @Override
        <D> D execute(
                Calendar intact,
                CalendarRequest<?> request,
                Function<Grant, D> decide,
                Predicate<D> keep) {
            return request instanceof Replace
                    ? decide.apply(intact.executeAndDecide(request, grant -> grant, _ -> false))
                    : intact.executeAndDecide(request, decide, keep);
        }
    }
}
