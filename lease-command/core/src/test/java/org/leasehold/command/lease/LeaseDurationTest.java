package org.leasehold.command.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.command.calendar.CalendarRequest.Hold;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseRejection.EndInPast;
import org.leasehold.lease.LeaseRejection.LeaseTooLong;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Tests the maximum duration of a lease. The lease of the history has exactly that. */
class LeaseDurationTest extends LeaseLifeFixture {

    private static final Duration MAX = Duration.between(START, END);
    private static final Instant LATER = END.plusSeconds(60);
    private static final LeaseTooLong TOO_LONG = new LeaseTooLong(MAX.plusSeconds(60), MAX);

    @BeforeEach
    void limitTheDuration() {
        fixture =
                LeaseAggregateFixture.create(
                        settings("7200s", "other"), calendar, new UnlimitedLeaseCounts());
    }

    private static LeaseSettings settings(String max, String exemptProjects) {
        return new Binder(
                        new MapConfigurationPropertySource(
                                Map.of(
                                        "leasehold.lease.max-duration",
                                        max,
                                        "leasehold.lease.duration-exempt-projects",
                                        exemptProjects)))
                .bindOrCreate("leasehold.lease", LeaseSettings.class);
    }

    private static LeaseCommand createUntil(Instant end) {
        return create(List.of(wish(1, 1)), START, end, WARNING);
    }

    private static Proposal propose(LeaseSettings settings) {
        return new LeaseDecider(new HostOnlyPlugins(), settings)
                .propose(createUntil(LATER), new Lease.Absent(), NOW);
    }

    @Test
    void a_lease_longer_than_the_maximum_is_rejected() {
        given().when(createUntil(LATER)).rejected(TOO_LONG);
        assertThat(calendar.requests()).noneMatch(Hold.class::isInstance);
    }

    @Test
    void a_lease_of_the_maximum_duration_is_accepted() {
        given().when(create(1, 1)).expectEvents(requested(wish(1, 1)), granted(PERIOD, 1));
    }

    @Test
    void a_change_beyond_the_maximum_is_rejected() {
        given(active()).when(change(null, LATER, null)).rejected(TOO_LONG);
        given(pending()).when(change(START.minusSeconds(60), null, null)).rejected(TOO_LONG);
    }

    @Test
    void a_past_end_takes_precedence_over_the_duration() {
        given(active())
                .at(START.plusSeconds(600))
                .when(change(null, START.plusSeconds(60), null))
                .rejected(new EndInPast(START.plusSeconds(60), START.plusSeconds(600)));
    }

    @Test
    void a_lease_from_before_the_limit_may_be_shortened_and_resized() {
        LeaseSettings shorter = settings("60s", "");
        fixture = LeaseAggregateFixture.create(shorter, calendar, new UnlimitedLeaseCounts());

        given(pending())
                .when(change(null, END.minusSeconds(60), null))
                .result()
                .expectSuccessfulHandlerExecution();
        given(pending()).when(resize(1, 2)).result().expectSuccessfulHandlerExecution();
        given(pending())
                .when(change(null, LATER, null))
                .rejected(new LeaseTooLong(MAX.plusSeconds(60), Duration.ofSeconds(60)));
    }

    @Test
    void an_exempt_project_has_no_maximum_duration() {
        assertThat(propose(settings("7200s", "other," + PROJECT)).request())
                .isInstanceOf(Hold.class);
    }

    @Test
    void no_maximum_duration_is_the_default() {
        LeaseSettings defaults = LeaseSettings.defaults();

        assertThat(defaults.maxDuration()).isZero();
        assertThat(propose(settings("0s", "")).request()).isInstanceOf(Hold.class);
        assertThat(propose(defaults).request()).isInstanceOf(Hold.class);
    }

    @Test
    void a_replayed_decision_has_no_maximum_duration() {
        assertThat(
                        LeaseDecider.forReplay(new HostOnlyPlugins())
                                .propose(createUntil(LATER), new Lease.Absent(), NOW)
                                .request())
                .isInstanceOf(Hold.class);
    }

    @Test
    void a_negative_maximum_duration_is_rejected() {
        assertThatThrownBy(() -> settings("-1s", ""))
                .hasRootCauseMessage("leasehold.lease.max-duration is less than 0: PT-1S");
    }
}
