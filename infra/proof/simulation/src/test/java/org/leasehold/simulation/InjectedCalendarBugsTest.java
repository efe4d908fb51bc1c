package org.leasehold.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.command.calendar.Calendar;
import org.leasehold.command.calendar.CalendarRequest;
import org.leasehold.command.calendar.CalendarRequest.Hold;
import org.leasehold.command.calendar.CalendarRequest.Wanted;
import org.leasehold.command.calendar.Grant;
import org.leasehold.command.calendar.stored.InMemoryTables;
import org.leasehold.command.memory.UndoLog;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;

/** Tests that the simulation detects a calendar that grants or refuses wrongly. */
class InjectedCalendarBugsTest extends InjectedBugsFixture {

    @Test
    void the_simulation_detects_a_dropped_constraint() {
        assertThat(complaint(ConstraintDropped::new)).contains("is promised twice");
    }

    private static final class ConstraintDropped extends EngineParts {
        @Override
        InMemoryTables tables(UndoLog log) {
            return new InMemoryTables(log) {
                @Override
                protected boolean exclude(Claimed one, Claimed other) {
                    return false;
                }
            };
        }
    }

    @Test
    void the_simulation_detects_a_refusal_from_an_outdated_memory() {
        assertThat(complaint(OutdatedMemory::new)).contains("refused without need");
    }

    private static final class OutdatedMemory extends EngineParts {
        @Override
        long memoryPosition(long position, long head) {
            return head;
        }
    }

    @Test
    void the_simulation_detects_a_grant_that_ignores_the_constraint() {
        assertThat(complaint(Trusting::new)).containsAnyOf("is promised twice", "and claimed");
    }

    /** Grants resources that are free in memory, despite the constraint. */
    private static final class Trusting extends EngineParts {
        @Override
        InMemoryTables tables(UndoLog log) {
            return new InMemoryTables(log) {
                @Override
                protected boolean claim(Claimed claim) {
                    super.claim(claim);
                    return true;
                }
            };
        }
    }

    @Test
    void the_simulation_detects_a_removed_reservation_with_a_claim() {
        assertThat(complaint(Clinging::new)).contains("and claimed");
    }

    /** Keeps the claims of a reservation that is removed together with another change. */
    private static final class Clinging extends BrokenCalendar {
        @Override
        <D> D execute(
                Calendar intact,
                CalendarRequest<?> request,
                Function<Grant, D> decide,
                Predicate<D> keep) {
            return intact.executeAndDecide(
                    request instanceof Hold(var lease, var project, var wanted, _, _)
                            ? new Hold(lease, project, wanted)
                            : request,
                    decide,
                    keep);
        }
    }

    @Test
    void the_simulation_detects_a_refusal_from_stale_memory() {
        assertThat(complaint(Remembering::new))
                .containsAnyOf("refused without need", "was not the state of things");
    }

    /** Repeats a refusal to the next request with the same start. */
    private static final class Remembering extends EngineParts {
        @Override
        Calendar calendar(Calendar calendar) {
            Map<Instant, Grant> refused = new HashMap<>();
            return new Calendar() {
                @Override
                public <D> D executeAndDecide(
                        CalendarRequest<?> request, Function<Grant, D> decide, Predicate<D> keep) {
                    if (!(request instanceof Hold(_, _, var wanted, _, _)) || wanted.isEmpty()) {
                        return calendar.executeAndDecide(request, decide, keep);
                    }
                    Instant start = wanted.getFirst().period().start();
                    Grant known = refused.get(start);
                    if (known != null) {
                        return decide.apply(known);
                    }
                    return calendar.executeAndDecide(
                            request,
                            grant -> {
                                if (grant instanceof Grant.HoldRefused) {
                                    refused.put(start, grant);
                                }
                                return decide.apply(grant);
                            },
                            keep);
                }
            };
        }
    }

    @Test
    void the_simulation_detects_a_grant_from_stale_memory() {
        assertThat(complaint(Stingy::new)).contains("was free for up to");
    }

    /** Repeats a small grant to the next request with the same start. */
    private static final class Stingy extends EngineParts {
        @Override
        Calendar calendar(Calendar calendar) {
            Map<Instant, Integer> grantedByStart = new HashMap<>();
            return new Calendar() {
                @Override
                public <D> D executeAndDecide(
                        CalendarRequest<?> request, Function<Grant, D> decide, Predicate<D> keep) {
                    if (!(request instanceof Hold hold) || hold.wanted().size() != 1) {
                        return calendar.executeAndDecide(request, decide, keep);
                    }
                    Wanted only = hold.wanted().getFirst();
                    Instant start = only.period().start();
                    int remembered = grantedByStart.getOrDefault(start, Integer.MAX_VALUE);
                    return calendar.executeAndDecide(
                            new Hold(
                                    hold.lease(),
                                    hold.project(),
                                    List.of(upTo(remembered, only)),
                                    hold.removal(),
                                    hold.repeated()),
                            grant -> {
                                if (grant instanceof Grant.Held held) {
                                    held.allocations()
                                            .forEach(
                                                    (_, got) ->
                                                            grantedByStart.put(start, got.size()));
                                }
                                return decide.apply(grant);
                            },
                            keep);
                }

                private Wanted upTo(int count, Wanted wanted) {
                    return new Wanted(
                            wanted.reservation(),
                            wanted.demand().upTo(Math.min(count, wanted.demand().maximum())),
                            wanted.period(),
                            wanted.current(),
                            wanted.running(),
                            wanted.adjusts());
                }
            };
        }
    }
}
