package org.leasehold.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.Fault;
import org.leasehold.lease.ReservationWish;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Acting.Discovery;
import org.leasehold.resource.Acting.Result;
import org.leasehold.resource.Planning.Plan;
import org.leasehold.resource.RequestCompleter.Completion;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.TrustId;
import org.leasehold.vocabulary.UserId;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The engine's requirements for every plug-in. A plug-in's own test extends this class and
 * describes its cloud. Each test gets a cloud in which nothing is enrolled or reserved.
 */
public abstract class ResourcePluginContract extends KindDescriptionContract {

    private static final LeasePeriod PERIOD =
            new LeasePeriod(
                    Instant.parse("2030-01-01T00:00:00Z"), Instant.parse("2030-01-02T00:00:00Z"));

    /** A tag of tests that start a reservation each. {@link CompactLifecycleContract} needs few. */
    static final String SEPARATE_LIFE = "separate-life";

    static final int MORE_STEPS_THAN_ANY_CALL_HAS = 200;

    /** Returns three resources that exist in the cloud and that are not in use. */
    protected abstract List<String> resourceNames();

    /** Returns the name of a resource that the cloud does not have. */
    protected abstract String unknownName();

    /** Returns those of one more reservation, if two must not name the same thing. */
    protected Map<String, @Nullable Object> furtherParameters() {
        return parameters();
    }

    /** Returns whether a reservation's things in the cloud change with its resources. */
    protected boolean followsItsResources() {
        return true;
    }

    /** Returns the project that reserves. */
    protected ProjectId project() {
        return new ProjectId("project-1");
    }

    /** Returns a trust of the user who reserves; null if nothing is created as the user. */
    protected @Nullable TrustId trust() {
        return null;
    }

    /** Returns a token of the user who reserves; null if it makes no difference. */
    protected @Nullable String token() {
        return null;
    }

    /** Returns the plug-in that enrols the resources: another one if they are of another kind. */
    protected Acting enrolment() {
        return plugin().acting();
    }

    /** Returns a reservation's share of a resource: all of it, or a part. */
    protected Allocation held(Allocation whole) {
        return whole;
    }

    /** Returns a way to make the cloud fail; empty if there is none. */
    protected Optional<CloudFaults> faults() {
        return Optional.empty();
    }

    /** A way to make a cloud fail; only with retryable faults. */
    public interface CloudFaults {

        /** Makes one step fail without effect, after some that succeed. */
        void failBeforeEffect(int stepsThatSucceed);

        /** Makes one step lose its response, after some that succeed. */
        void failAfterEffect(int stepsThatSucceed);

        /** Ends all failures. */
        void heal();
    }

    @Test
    void planning_the_normal_form_again_changes_nothing() {
        Plan.Planned planned = planned(complete());

        assertThat(planning().plan(planned.parameters())).isEqualTo(planned);
    }

    @Test
    void a_kind_does_not_start_after_itself() {
        assertThat(planning().startsAfter())
                .doesNotContain(plugin().kind())
                .isEqualTo(planning().startsAfter());
    }

    @Test
    void the_same_parameters_always_make_the_same_plan() {
        assertThat(planning().plan(complete())).isEqualTo(planning().plan(complete()));
    }

    @Test
    void a_plan_holds_json_values_only() {
        assertJson(planned(complete()).parameters());
    }

    @Test
    void the_completion_adds_exactly_the_declared_parameters() {
        Set<String> added =
                plugin().requestCompleter().map(RequestCompleter::addedParameters).orElse(Set.of());
        Map<String, @Nullable Object> own = new HashMap<>(complete());
        own.keySet().removeAll(added);

        assertThat(own).isEqualTo(parameters());
        assertThat(complete().keySet()).containsAll(added);
        assertThat(planned(complete()).parameters().keySet()).containsAll(added);
    }

    @Test
    void planning_does_not_change_the_given_parameters() {
        Map<String, @Nullable Object> given = new HashMap<>(complete());

        planning().plan(given);
        planning().change(given, changes(), false);

        assertThat(given).isEqualTo(complete());
    }

    @Test
    void planning_answers_empty_parameters_without_an_exception() {
        assertThat(planning().plan(Map.of())).isNotNull();
    }

    @Test
    void planning_answers_any_json_value_without_an_exception() {
        for (String key : planned(complete()).parameters().keySet()) {
            for (@Nullable Object odd : oddValues()) {
                Map<String, @Nullable Object> given = new HashMap<>(complete());
                given.put(key, odd);
                Plan plan = planning().plan(given);
                assertThat(plan).as("%s = %s", key, odd).isNotNull();
                if (plan instanceof Plan.Planned planned) {
                    assertThat(planning().plan(planned.parameters()))
                            .as("%s = %s, planned again", key, odd)
                            .isEqualTo(planned);
                }
            }
        }
    }

    @Test
    void an_empty_change_keeps_the_plan() {
        Plan.Planned planned = planned(complete());

        assertThat(planning().change(planned.parameters(), Map.of(), false)).isEqualTo(planned);
        assertThat(planning().change(planned.parameters(), Map.of(), true)).isEqualTo(planned);
    }

    @Test
    void a_change_results_in_the_normal_form() {
        Map<String, @Nullable Object> before = planned(complete()).parameters();

        Plan changed = planning().change(before, changes(), false);

        assertThat(changed).isInstanceOf(Plan.Planned.class);
        Map<String, @Nullable Object> after = ((Plan.Planned) changed).parameters();
        assertThat(after).isNotEqualTo(before);
        assertThat(planning().plan(after)).isEqualTo(changed);
    }

    @Test
    void a_change_is_idempotent() {
        Map<String, @Nullable Object> before = planned(complete()).parameters();
        Plan once = planning().change(before, changes(), false);

        Plan twice = planning().change(((Plan.Planned) once).parameters(), changes(), false);

        assertThat(twice).isEqualTo(once);
    }

    @Test
    void a_reservation_is_rendered_as_json_in_a_fixed_order() {
        ReservationWish wish =
                new ReservationWish(
                        reservation(), plugin().kind(), planned(complete()).parameters());

        Map<String, @Nullable Object> rendered = planning().render(wish);

        assertJson(rendered);
        assertThat(new ArrayList<>(planning().render(wish).entrySet()))
                .isEqualTo(new ArrayList<>(rendered.entrySet()));
    }

    @Test
    void a_resource_is_found_under_the_name_in_the_cloud() {
        for (String name : resourceNames()) {
            Discovery discovery = enrolment().discover(name);
            assertThat(discovery).isInstanceOf(Discovery.Found.class);
            Discovery.Found found = (Discovery.Found) discovery;
            assertThat(found.name()).isEqualTo(name);
            assertJson(found.attributes());
        }
    }

    @Test
    void an_unknown_resource_is_not_found() {
        assertThat(enrolment().discover(unknownName())).isEqualTo(new Discovery.NotFound());
    }

    @Test
    void the_discovery_of_a_resource_is_repeatable() {
        String name = resourceNames().getFirst();

        assertThat(enrolment().discover(name)).isEqualTo(enrolment().discover(name));
    }

    /** Returns the resources that an inventory describes; by default none. */
    protected List<String> described() {
        return List.of();
    }

    @Test
    void an_available_resource_has_no_outage() {
        assertThat(inventory(resourceNames()).outages()).isEmpty();
    }

    @Test
    void the_inventory_matches_the_discovery_of_enrolled_resources() {
        Map<String, Discovery> discovered = new HashMap<>();
        described().forEach(name -> discovered.put(name, enrolment().discover(name)));
        enrolled();

        assertThat(inventory(resourceNames()).found()).isEqualTo(discovered);
        assertThat(inventory(List.of()).found()).isEmpty();
    }

    private InventoryResult.Known inventory(List<String> names) {
        InventoryResult inventory = acting().inventory(names);
        assertThat(inventory).isInstanceOf(InventoryResult.Known.class);
        return (InventoryResult.Known) inventory;
    }

    /** A kind without default leases passes. */
    @Test
    void a_listing_for_default_leases_has_each_object_of_the_kind_once() {
        plugin().defaultLeaseSource().ifPresent(this::assertListsEachObjectOnce);
    }

    private void assertListsEachObjectOnce(DefaultLeaseSource source) {
        complete();
        DefaultLeaseSource.Listing listing = source.findLeasableObjects();
        assertThat(listing).isInstanceOf(DefaultLeaseSource.Listing.All.class);
        List<LeasableObject> objects = ((DefaultLeaseSource.Listing.All) listing).objects();
        assertThat(objects)
                .isNotEmpty()
                .allMatch(object -> object.kind().equals(plugin().kind()))
                .extracting(LeasableObject::id)
                .doesNotHaveDuplicates();
        LeasableObject first = objects.getFirst();
        assertThat(source.check(first.id(), first.project()))
                .isEqualTo(DefaultLeaseSource.Presence.PRESENT);
        assertThat(source.check(UUID.randomUUID().toString(), first.project()))
                .isEqualTo(DefaultLeaseSource.Presence.DELETED);
    }

    @Test
    void enrolling_and_retiring_may_be_repeated() {
        String name = resourceNames().getFirst();
        ResourceId id = new ResourceId(1);

        assertDone(enrolment().enrol(id, name));
        assertDone(enrolment().enrol(id, name));
        assertDone(enrolment().retire(id, name));
        assertDone(enrolment().retire(id, name));
        assertDone(enrolment().enrol(id, name));
    }

    @Test
    @Tag(SEPARATE_LIFE)
    void an_enrolment_does_not_take_a_resource_from_a_reservation() {
        List<Allocation> resources = enrolled();
        Assignment running = assignment(resources.subList(0, 1));
        assertDone(acting().onStart(running));
        List<String> before = inspect(running);

        assertDone(enrolment().enrol(resources.getFirst().resource(), resources.getFirst().name()));

        assertThat(inspect(running)).isEqualTo(before);
    }

    @Test
    @Tag(SEPARATE_LIFE)
    void a_reservation_has_no_resources_before_the_start() {
        assertThat(inspect(assignment(enrolled()))).isEmpty();
    }

    @Test
    @Tag(SEPARATE_LIFE)
    void started_resources_carry_the_reservation_id() {
        Assignment assignment = assignment(enrolled().subList(0, 1));

        assertDone(acting().onStart(assignment));

        assertThat(String.join("\n", inspect(assignment)))
                .contains(assignment.reservation().toString());
    }

    @Test
    @Tag(SEPARATE_LIFE)
    void starting_may_be_repeated() {
        Assignment assignment = assignment(enrolled().subList(0, 2));
        assertDone(acting().onStart(assignment));
        List<String> before = inspect(assignment);

        assertDone(acting().onStart(assignment));

        assertThat(inspect(assignment)).isEqualTo(before);
    }

    @Test
    @Tag(SEPARATE_LIFE)
    void an_end_removes_all_resources_of_a_reservation() {
        Assignment assignment = assignment(enrolled().subList(0, 2));
        assertDone(acting().onStart(assignment));

        assertDone(acting().onEnd(assignment));

        assertThat(inspect(assignment)).isEmpty();
    }

    @Test
    @Tag(SEPARATE_LIFE)
    void a_survey_finds_the_resources_of_a_reservation_until_the_end() {
        List<Allocation> resources = enrolled();
        Assignment one = assignment(resources.subList(0, 1));
        Assignment other = assignment(resources.subList(1, 3));
        assertDone(acting().onStart(one));
        assertDone(acting().onStart(other));

        assertThat(surveyed(one)).isNotEmpty().isSubsetOf(inspect(one));
        assertThat(surveyed(other)).isNotEmpty().isSubsetOf(inspect(other));
        assertComplete(one, other);
        assertDone(acting().onEnd(one));

        assertThat(surveyed(one)).isEmpty();
        assertThat(surveyed(other)).isNotEmpty();
    }

    @Test
    @Tag(SEPARATE_LIFE)
    void ending_may_be_repeated() {
        Assignment assignment = assignment(enrolled().subList(0, 2));
        assertDone(acting().onStart(assignment));

        assertDone(acting().onEnd(assignment));
        assertDone(acting().onEnd(assignment));

        assertThat(inspect(assignment)).isEmpty();
    }

    @Test
    @Tag(SEPARATE_LIFE)
    void ending_a_reservation_that_never_started_succeeds() {
        Assignment assignment = assignment(enrolled().subList(0, 2));

        assertDone(acting().onEnd(assignment));

        assertThat(inspect(assignment)).isEmpty();
    }

    @Test
    @Tag(SEPARATE_LIFE)
    void a_resource_can_be_leased_again_after_the_end() {
        List<Allocation> resources = enrolled();
        Assignment first = assignment(resources);
        assertDone(acting().onStart(first));
        assertDone(acting().onEnd(first));
        Assignment next = assignment(resources);

        assertDone(acting().onStart(next));

        assertThat(inspect(next)).isNotEmpty();
        assertThat(inspect(first)).isEmpty();
    }

    @Test
    @Tag(SEPARATE_LIFE)
    void the_action_before_the_end_is_repeatable_and_removes_nothing() {
        Assignment assignment = assignment(enrolled().subList(0, 1));
        assertDone(acting().onStart(assignment));
        List<String> before = inspect(assignment);

        assertDone(acting().beforeEnd(assignment));
        assertDone(acting().beforeEnd(assignment));

        assertThat(inspect(assignment)).containsAll(before);
        assertDone(acting().onEnd(assignment));
        assertThat(inspect(assignment)).isEmpty();
    }

    @Test
    @Tag(SEPARATE_LIFE)
    void the_preparation_is_repeatable_and_gives_no_resources() {
        Assignment assignment = assignment(enrolled().subList(0, 1));

        assertDone(acting().prepare(assignment));
        assertDone(acting().prepare(assignment));

        assertThat(inspect(assignment)).isEmpty();
        assertDone(acting().onStart(assignment));
        assertThat(inspect(assignment)).isNotEmpty();
        assertDone(acting().onEnd(assignment));
        assertThat(inspect(assignment)).isEmpty();
    }

    @Test
    @Tag(SEPARATE_LIFE)
    void a_reservation_does_not_change_the_resources_of_another() {
        List<Allocation> resources = enrolled();
        Assignment one = assignment(resources.subList(0, 1));
        Assignment other = assignment(resources.subList(1, 2));
        assertDone(acting().onStart(one));
        List<String> before = inspect(one);

        assertDone(acting().onStart(other));
        assertThat(inspect(one)).isEqualTo(before);
        assertDone(acting().onAdjust(with(other, resources.subList(1, 3)), List.of()));
        assertThat(inspect(one)).isEqualTo(before);
        assertDone(acting().beforeEnd(other));
        assertThat(inspect(one)).isEqualTo(before);
        assertDone(acting().onEnd(other));
        assertThat(inspect(one)).isEqualTo(before);
    }

    @Test
    @Tag(SEPARATE_LIFE)
    void a_fenced_off_call_fails_and_changes_nothing() {
        List<Allocation> resources = enrolled();
        Assignment running = assignment(resources.subList(0, 1));

        assertFailed(acting().onStart(fencedOff(running)));
        assertThat(inspect(running)).isEmpty();

        assertDone(acting().onStart(running));
        List<String> before = inspect(running);
        Assignment elsewhere = with(running, resources.subList(1, 3));
        if (followsItsResources()) {
            assertFailed(acting().onAdjust(fencedOff(elsewhere), List.of()));
        }
        assertFailed(acting().onEnd(fencedOff(running)));
        assertThat(inspect(running)).isEqualTo(before);
    }

    @Test
    @Tag(SEPARATE_LIFE)
    void a_late_end_does_not_change_the_next_reservation() {
        List<Allocation> resource = enrolled().subList(0, 1);
        Assignment predecessor = assignment(resource);
        assertDone(acting().onStart(predecessor));
        assertDone(acting().onEnd(predecessor));
        Assignment successor = assignment(resource);
        assertDone(acting().onStart(successor));
        List<String> before = inspect(successor);

        assertDone(acting().onEnd(predecessor));

        assertThat(inspect(successor)).isEqualTo(before);
    }

    @Test
    @Tag(SEPARATE_LIFE)
    void a_start_on_a_resource_of_another_reservation_fails() {
        List<Allocation> resource = enrolled().subList(0, 1);
        assumeTrue(resource.getFirst().share() == null, "reservations share resources");
        Assignment owner = assignment(resource);
        assertDone(acting().onStart(owner));
        List<String> before = inspect(owner);
        Assignment intruder = assignment(resource);

        assertThat(acting().onStart(intruder)).isInstanceOf(Result.Failed.class);

        assertThat(inspect(owner)).isEqualTo(before);
        assertDone(acting().onEnd(intruder));
        assertThat(inspect(owner)).isEqualTo(before);
        assertThat(inspect(intruder)).isEmpty();
    }

    @Test
    @Tag(SEPARATE_LIFE)
    void reservations_that_share_a_resource_start_and_end_independently() {
        List<Allocation> resource = enrolled().subList(0, 1);
        assumeTrue(resource.getFirst().share() != null, "a resource is one reservation's alone");
        Assignment one = assignment(resource);
        assertDone(acting().onStart(one));
        List<String> before = inspect(one);
        Assignment other = assignment(resource);

        assertDone(acting().onStart(other));
        assertThat(inspect(one)).isEqualTo(before);
        assertThat(inspect(other)).hasSameSizeAs(before);
        assertDone(acting().onEnd(one));

        assertThat(inspect(one)).isEmpty();
        assertThat(inspect(other)).hasSameSizeAs(before);
        assertDone(acting().onEnd(other));
        assertThat(inspect(other)).isEmpty();
    }

    @Test
    @Tag(SEPARATE_LIFE)
    void an_adjustment_to_more_resources_equals_a_start_with_them() {
        List<Allocation> resources = enrolled();
        Assignment assignment = assignment(resources.subList(0, 1));
        assertDone(acting().onStart(assignment));
        Assignment more = with(assignment, resources);

        assertDone(acting().onAdjust(more, List.of()));
        List<String> adjusted = inspect(assignment);
        assertDone(acting().onAdjust(more, List.of()));

        assertThat(inspect(assignment)).isEqualTo(adjusted);
        assertThat(adjusted).isEqualTo(afterStart(more));
    }

    @Test
    @Tag(SEPARATE_LIFE)
    void an_adjustment_to_fewer_resources_frees_the_others() {
        List<Allocation> resources = enrolled();
        Assignment assignment = assignment(resources);
        assertDone(acting().onStart(assignment));
        Assignment less = with(assignment, resources.subList(0, 1));

        assertDone(acting().onAdjust(less, resources.subList(1, 3)));
        List<String> adjusted = inspect(assignment);
        assertDone(acting().onAdjust(less, resources.subList(1, 3)));

        assertThat(inspect(assignment)).isEqualTo(adjusted);
        Assignment next = assignment(resources.subList(1, 3));
        assertDone(acting().onStart(next));
        assertThat(inspect(assignment)).isEqualTo(adjusted);
        assertDone(acting().onEnd(next));
        assertThat(adjusted).isEqualTo(afterStart(less));
    }

    @Test
    void a_start_that_is_cut_off_at_any_step_is_completed_by_a_retry() {
        List<Allocation> resources = enrolled();
        cutOffAtEveryStep(
                () -> assignment(resources.subList(0, 2)),
                assignment -> acting().onStart(assignment));
    }

    @Test
    void an_adjustment_that_is_cut_off_at_any_step_is_completed_by_a_retry() {
        assumeTrue(followsItsResources(), "an adjustment changes nothing in the cloud");
        List<Allocation> resources = enrolled();
        cutOffAtEveryStep(
                () -> {
                    Assignment assignment = assignment(resources.subList(0, 2));
                    assertDone(acting().onStart(assignment));
                    return with(assignment, resources.subList(1, 3));
                },
                assignment -> acting().onAdjust(assignment, resources.subList(0, 1)));
    }

    @Test
    void an_end_that_is_cut_off_at_any_step_is_completed_by_a_retry() {
        List<Allocation> resources = enrolled();
        cutOffAtEveryStep(
                () -> {
                    Assignment assignment = assignment(resources.subList(0, 2));
                    assertDone(acting().onStart(assignment));
                    return assignment;
                },
                assignment -> acting().onEnd(assignment));
    }

    @Test
    void a_start_that_is_cut_off_at_any_step_can_be_ended() {
        List<Allocation> resources = enrolled();
        endAfterEveryStep(() -> assignment(resources.subList(0, 2)));
    }

    /** Cuts off a start after each of its steps and ends it. */
    void endAfterEveryStep(Supplier<Assignment> prepare) {
        CloudFaults faults = assumedFaults();
        for (int step = 0; step < MORE_STEPS_THAN_ANY_CALL_HAS; step++) {
            if (endAfterCutOff(faults, prepare.get(), step) instanceof Result.Done) {
                return;
            }
        }
        throw new AssertionError("a start has no end of steps");
    }

    /** Cuts off a start after a step, ends it and returns the result of the start. */
    final Result endAfterCutOff(CloudFaults faults, Assignment assignment, int step) {
        faults.failAfterEffect(step);
        Result result = acting().onStart(assignment);
        faults.heal();
        assertDone(acting().onEnd(assignment));
        assertThat(inspect(assignment)).as("cut off after step %d", step).isEmpty();
        return result;
    }

    /**
     * Makes each step of a call fail once, before and after its effect. The retried call must reach
     * the same state as an undisturbed one. Each cut-off gets an assignment of its own.
     */
    void cutOffAtEveryStep(Supplier<Assignment> prepare, Function<Assignment, Result> call) {
        CloudFaults faults = assumedFaults();
        Assignment undisturbed = prepare.get();
        assertDone(call.apply(undisturbed));
        List<String> expected = anonymous(undisturbed);
        assertDone(acting().onEnd(undisturbed));
        int cut = 0;
        for (boolean effect : new boolean[] {false, true}) {
            for (int step = 0; step < MORE_STEPS_THAN_ANY_CALL_HAS; step++) {
                Assignment assignment = prepare.get();
                if (effect) {
                    faults.failAfterEffect(step);
                } else {
                    faults.failBeforeEffect(step);
                }
                Result result = call.apply(assignment);
                faults.heal();
                assertDone(call.apply(assignment));
                assertThat(anonymous(assignment))
                        .as("cut off at step %d, which took effect: %s", step, effect)
                        .isEqualTo(expected);
                assertDone(acting().onEnd(assignment));
                if (result instanceof Result.Done) {
                    break;
                }
                assertRetryable(result);
                cut++;
            }
        }
        assertThat(cut).as("calls that were cut off").isGreaterThan(1);
    }

    private CloudFaults assumedFaults() {
        assumeTrue(faults().isPresent(), "this cloud cannot be made to fail");
        return faults().orElseThrow();
    }

    /** Returns what a reservation has, without names that only it has. */
    final List<String> anonymous(Assignment assignment) {
        return inspect(assignment).stream()
                .map(name -> name.replace(assignment.reservation().toString(), "<reservation>"))
                .toList();
    }

    /** Ends the reservation and starts it again. */
    final List<String> afterStart(Assignment assignment) {
        assertDone(acting().onEnd(assignment));
        assertDone(acting().onStart(assignment));
        return inspect(assignment);
    }

    final List<Allocation> enrolled() {
        List<Allocation> allocations = new ArrayList<>();
        for (String name : resourceNames()) {
            ResourceId id = new ResourceId(allocations.size() + 1L);
            assertDone(enrolment().enrol(id, name));
            allocations.add(held(new Allocation(id, name, Map.of())));
        }
        assertThat(allocations).as("resources that the plugin's test supplies").hasSize(3);
        return allocations;
    }

    final Assignment assignment(List<Allocation> resources) {
        return new Assignment(
                new LeaseId(UUID.randomUUID()),
                reservation(),
                project(),
                new UserId("user-1"),
                PERIOD,
                planned(completed(furtherParameters())).parameters(),
                resources,
                () -> true,
                _ -> Optional.empty(),
                trust());
    }

    static Assignment fencedOff(Assignment old) {
        return new Assignment(
                old.lease(),
                old.reservation(),
                old.project(),
                old.user(),
                old.period(),
                old.parameters(),
                old.resources(),
                () -> false,
                old.others(),
                old.trust());
    }

    static Assignment with(Assignment old, List<Allocation> resources) {
        return new Assignment(
                old.lease(),
                old.reservation(),
                old.project(),
                old.user(),
                old.period(),
                old.parameters(),
                resources,
                old.fence(),
                old.others(),
                old.trust());
    }

    private static ReservationId reservation() {
        return new ReservationId(UUID.randomUUID());
    }

    /** Returns a user's parameters with the cloud's descriptions. */
    private Map<String, @Nullable Object> complete() {
        return completed(parameters());
    }

    @Override
    final Map<String, @Nullable Object> completed(Map<String, @Nullable Object> given) {
        return plugin().requestCompleter()
                .map(
                        completing -> {
                            Completion completion =
                                    completing.complete(
                                            given,
                                            Map.of(),
                                            new RequestCompleter.Asker(
                                                    project(), token(), "req-1"));
                            assertThat(completion).isInstanceOf(Completion.Complete.class);
                            return ((Completion.Complete) completion).parameters();
                        })
                .orElse(given);
    }

    private Plan.Planned planned(Map<String, @Nullable Object> parameters) {
        Plan plan = planning().plan(parameters);
        assertThat(plan).isInstanceOf(Plan.Planned.class);
        return (Plan.Planned) plan;
    }

    final List<String> inspect(Assignment assignment) {
        return acting().inspect(assignment.reservation());
    }

    /** Filters by the reservation: a real cloud may have others. */
    final List<String> surveyed(Assignment assignment) {
        Survey survey = acting().survey();
        assertThat(survey).isInstanceOf(Survey.Seen.class);
        return ((Survey.Seen) survey).things().getOrDefault(assignment.reservation(), List.of());
    }

    private void assertComplete(Assignment... running) {
        LossResult losses =
                acting().findLosses(Arrays.stream(running).map(Assignment::reservation).toList());
        assertThat(losses).isIn(new LossResult.Known(Set.of()), new LossResult.Unchecked());
    }

    private Planning planning() {
        return plugin().planning();
    }

    final Acting acting() {
        return plugin().acting();
    }

    static void assertDone(Result result) {
        assertThat(result).isInstanceOf(Result.Done.class);
    }

    static void assertRetryable(Result result) {
        assertFailed(result);
        assertThat(((Result.Failed) result).fault().kind()).isEqualTo(Fault.Kind.RETRYABLE);
    }

    static void assertFailed(Result result) {
        assertThat(result).isInstanceOf(Result.Failed.class);
    }

    private static List<@Nullable Object> oddValues() {
        List<@Nullable Object> values = new ArrayList<>();
        values.add(null);
        values.addAll(
                List.of(
                        true,
                        "",
                        "no such thing",
                        "\uD83D\uDE80",
                        -1,
                        0,
                        Integer.MAX_VALUE,
                        Long.MIN_VALUE,
                        new BigDecimal("1e400"),
                        new BigDecimal("1.5"),
                        List.of(),
                        List.of(List.of("and")),
                        Map.of(),
                        Map.of("key", List.of(1))));
        return values;
    }

    private static void assertJson(@Nullable Object value) {
        switch (value) {
            case null -> {}
            case String text -> {}
            case Boolean bool -> {}
            case Integer number -> {}
            case Long number -> {}
            case BigDecimal number -> {}
            case List<?> list -> list.forEach(ResourcePluginContract::assertJson);
            case Map<?, ?> map ->
                    map.forEach(
                            (key, entry) -> {
                                assertThat(key).isInstanceOf(String.class);
                                assertJson(entry);
                            });
            default ->
                    throw new AssertionError(
                            value + " is no JSON value but a " + value.getClass().getName());
        }
    }
}
