package org.leasehold.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting.Assignment;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * A plug-in and a cloud with resources, as the test of the plug-in describes them, and the calls
 * that the rules of {@link ResourcePluginContract} have in common.
 */
public abstract class PluginContractFixture extends KindDescriptionContract {

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
    protected boolean adjustsThings() {
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

    CloudFaults assumedFaults() {
        assumeTrue(faults().isPresent(), "this cloud cannot be made to fail");
        return faults().orElseThrow();
    }

    /** Returns what a reservation has, without names that only it has. */
    final List<String> anonymous(Assignment assignment) {
        return inspect(assignment).stream()
                .map(name -> name.replace(assignment.reservation().toString(), "<reservation>"))
                .toList();
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

    static ReservationId reservation() {
        return new ReservationId(UUID.randomUUID());
    }

    /** Returns a user's parameters with the cloud's descriptions. */
    Map<String, @Nullable Object> complete() {
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

    Plan.Planned planned(Map<String, @Nullable Object> parameters) {
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

    void assertComplete(Assignment... running) {
        LossResult losses =
                acting().findLosses(Arrays.stream(running).map(Assignment::reservation).toList());
        assertThat(losses).isIn(new LossResult.Known(Set.of()), new LossResult.Unchecked());
    }

    Planning planning() {
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

    static void assertJson(@Nullable Object value) {
        switch (value) {
            case null -> {}
            case String text -> {}
            case Boolean bool -> {}
            case Integer number -> {}
            case Long number -> {}
            case BigDecimal number -> {}
            case List<?> list -> list.forEach(PluginContractFixture::assertJson);
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
