package org.leasehold.saga.defaultlease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.leasehold.vocabulary.ProjectId;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

class DefaultLeaseSettingsTest {

    private static final String PREFIX = "leasehold.default-leases";

    static DefaultLeaseSettings bind(Map<String, String> values) {
        Map<String, String> named = new HashMap<>();
        values.forEach((name, value) -> named.put(PREFIX + "." + name, value));
        return new Binder(new MapConfigurationPropertySource(named))
                .bindOrCreate(PREFIX, DefaultLeaseSettings.class);
    }

    @Test
    void default_leases_are_off_and_last_a_month_by_default() {
        DefaultLeaseSettings settings = bind(Map.of());

        assertThat(settings.enabled()).isFalse();
        assertThat(settings.period()).isEqualTo(Duration.ofDays(30));
        assertThat(settings.effectiveNotice()).isEqualTo(Duration.ofDays(3));
        assertThat(settings.covers(new ProjectId("astronomy"))).isFalse();
    }

    @Test
    void the_word_all_covers_each_project() {
        assertThat(bind(Map.of("projects", "all")).covers(new ProjectId("astronomy"))).isTrue();
        assertThat(bind(Map.of("projects", "ALL")).covers(new ProjectId("astronomy"))).isTrue();
        assertThat(bind(Map.of("projects", "p1,p2")).covers(new ProjectId("p2"))).isTrue();
        assertThat(bind(Map.of("projects", "p1,p2")).covers(new ProjectId("p3"))).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"PT1H, PT6M", "P29D, PT69H36M", "P30D, P3D", "P90D, P3D"})
    void the_default_notice_never_exceeds_a_tenth_of_the_period(Duration period, Duration notice) {
        assertThat(bind(Map.of("period", period.toString())).effectiveNotice()).isEqualTo(notice);
    }

    @Test
    void a_period_above_the_maximum_duration_is_rejected() {
        Duration day = Duration.ofDays(1);
        DefaultLeaseSettings settings = bind(Map.of("enabled", "true", "projects", "p1,p2"));

        assertThatThrownBy(() -> settings.requirePeriodWithin(day, Set.of("p1")))
                .hasMessage(
                        PREFIX + ".period is PT720H, but leasehold.lease.max-duration is PT24H");
        assertThatThrownBy(
                        () ->
                                bind(Map.of("enabled", "true", "projects", "ALL"))
                                        .requirePeriodWithin(day, Set.of("p1")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_period_within_the_maximum_duration_or_without_one_passes() {
        Duration day = Duration.ofDays(1);
        DefaultLeaseSettings settings = bind(Map.of("enabled", "true", "projects", "p1,p2"));

        assertThatCode(() -> settings.requirePeriodWithin(Duration.ZERO, Set.of()))
                .doesNotThrowAnyException();
        assertThatCode(() -> settings.requirePeriodWithin(settings.period(), Set.of()))
                .doesNotThrowAnyException();
        assertThatCode(() -> settings.requirePeriodWithin(day, Set.of("p1", "p2", "p3")))
                .doesNotThrowAnyException();
        assertThatCode(() -> bind(Map.of("projects", "p1")).requirePeriodWithin(day, Set.of()))
                .as("while off")
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({
        "period, PT59S, 'period is PT59S, but must be PT1M to PT87600H'",
        "notice, P31D, 'notice is PT744H, but must be PT0S to PT720H'",
        "polling, 0s, 'polling is PT0S, but must be PT1S to PT24H'",
        "grace, -1s, 'grace is PT-1S, but must be PT0S to PT8760H'",
        "max-requests-per-poll, 0, 'max-requests-per-poll is 0, but must be 1 to 1000'",
        "enabled, true, 'projects is empty, but must name projects or be all'",
        "projects, 'All,p1', 'projects is all, so it must not name projects'",
        "projects, 'all,p1', 'projects is all, so it must not name projects'"
    })
    void an_invalid_value_is_rejected_with_the_name_of_the_setting(
            String name, String value, String message) {
        assertThatThrownBy(() -> bind(Map.of(name, value)))
                .hasRootCauseMessage(PREFIX + "." + message);
    }
}
