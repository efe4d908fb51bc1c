package org.leasehold.command.calendar.selection;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.command.calendar.selection.ResourceAssignment.Seeker;
import org.leasehold.inventory.ResourceId;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

class ResourceAssignmentTest {

    @Test
    void the_first_options_are_taken_first_and_the_rest_goes_in_order() {
        assertThat(
                        ResourceAssignment.of(
                                List.of(
                                        new Seeker(1, 2, List.of(), resources(3, 1, 2)),
                                        new Seeker(1, 9, List.of(), resources(1, 2, 3, 4)))))
                .containsExactly(resources(3, 2), resources(1, 4));
    }

    @Test
    void a_seeker_switches_resources_if_another_one_needs_them() {
        assertThat(
                        ResourceAssignment.of(
                                List.of(
                                        new Seeker(1, 1, List.of(), resources(1, 2)),
                                        new Seeker(1, 1, List.of(), resources(2, 3)),
                                        new Seeker(1, 1, List.of(), resources(1)))))
                .containsExactly(resources(2), resources(3), resources(1));
    }

    @Test
    void a_fixed_resource_is_never_reassigned() {
        assertThat(
                        ResourceAssignment.of(
                                List.of(
                                        new Seeker(1, 1, resources(1), resources(2)),
                                        new Seeker(1, 1, List.of(), resources(1)))))
                .containsExactly(resources(1), List.of());
    }

    @Test
    void a_single_seeker_gets_fixed_resources_and_options_up_to_the_maximum() {
        assertThat(
                        ResourceAssignment.of(
                                List.of(new Seeker(1, 3, resources(4), resources(2, 4, 1, 3)))))
                .containsExactly(resources(4, 2, 1));
        assertThat(ResourceAssignment.of(List.of(new Seeker(5, 9, resources(4), resources(2, 4)))))
                .containsExactly(resources(4, 2));
    }

    @Test
    void a_single_seeker_gets_the_same_as_beside_one_that_needs_nothing() {
        Seeker idle = new Seeker(0, 0, List.of(), List.of());
        SplittableRandom random = new SplittableRandom(42);
        for (int round = 0; round < 500; round++) {
            List<ResourceId> options =
                    LongStream.rangeClosed(1, 6)
                            .filter(_ -> random.nextBoolean())
                            .mapToObj(ResourceId::new)
                            .toList();
            int minimum = 2 + random.nextInt(3);
            Seeker seeker =
                    new Seeker(minimum, minimum + random.nextInt(3), resources(3, 7), options);
            assertThat(ResourceAssignment.of(List.of(seeker)).getFirst())
                    .isEqualTo(ResourceAssignment.of(List.of(seeker, idle)).getFirst());
        }
    }

    @Test
    void every_minimum_is_met_whenever_that_is_possible() {
        SplittableRandom random = new SplittableRandom(4711);
        int possible = 0;
        for (int round = 0; round < 3_000; round++) {
            List<Seeker> seekers = new ArrayList<>();
            for (int i = 0; i <= random.nextInt(3); i++) {
                List<ResourceId> options =
                        LongStream.rangeClosed(1, 5)
                                .filter(_ -> random.nextBoolean())
                                .mapToObj(ResourceId::new)
                                .toList();
                int minimum = 1 + random.nextInt(3);
                seekers.add(new Seeker(minimum, minimum + random.nextInt(2), List.of(), options));
            }
            List<List<ResourceId>> shares = ResourceAssignment.of(seekers);
            Set<ResourceId> all = new HashSet<>();
            boolean met = true;
            for (int i = 0; i < seekers.size(); i++) {
                assertThat(seekers.get(i).options()).containsAll(shares.get(i));
                assertThat(shares.get(i)).hasSizeLessThanOrEqualTo(seekers.get(i).maximum());
                assertThat(shares.get(i)).noneMatch(all::contains);
                all.addAll(shares.get(i));
                met &= shares.get(i).size() >= seekers.get(i).minimum();
            }
            assertThat(met).isEqualTo(isPossible(seekers, 0, new HashSet<>(), 0));
            possible += met ? 1 : 0;
        }
        assertThat(possible).isBetween(300, 2_700);
    }

    /** Returns true if all seekers get their minimum; it tries all combinations. */
    private static boolean isPossible(
            List<Seeker> seekers, int index, Set<ResourceId> taken, int got) {
        if (index == seekers.size()) {
            return true;
        }
        if (got == seekers.get(index).minimum()) {
            return isPossible(seekers, index + 1, taken, 0);
        }
        for (ResourceId option : seekers.get(index).options()) {
            if (taken.add(option)) {
                if (isPossible(seekers, index, taken, got + 1)) {
                    return true;
                }
                taken.remove(option);
            }
        }
        return false;
    }

    private static List<ResourceId> resources(long... ids) {
        return LongStream.of(ids).mapToObj(ResourceId::new).toList();
    }
}
