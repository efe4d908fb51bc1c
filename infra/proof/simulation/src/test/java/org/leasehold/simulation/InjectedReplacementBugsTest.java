package org.leasehold.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.command.calendar.Calendar;
import org.leasehold.command.calendar.CalendarRequest;
import org.leasehold.command.calendar.CalendarRequest.LetGo;
import org.leasehold.command.calendar.CalendarRequest.Replace;
import org.leasehold.command.calendar.CalendarRequest.ReplaceFailed;
import org.leasehold.command.calendar.Grant;

import java.util.Set;
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

    @Test
    void the_simulation_detects_a_failed_resource_that_is_released_too_early() {
        assertThat(complaint(Hasty::new)).contains("is in the hands of null");
    }

    /** Releases failed resources before the cloud has taken them back. */
    private static final class Hasty extends BrokenCalendar {
        @Override
        <D> D execute(
                Calendar intact,
                CalendarRequest<?> request,
                Function<Grant, D> decide,
                Predicate<D> keep) {
            D decision = intact.executeAndDecide(request, decide, keep);
            if (request instanceof ReplaceFailed failed && keep.test(decision)) {
                intact.executeAndDecide(
                        new LetGo(failed.running().reservation(), Set.of(failed.failed())),
                        grant -> grant,
                        _ -> true);
            }
            return decision;
        }
    }
}
