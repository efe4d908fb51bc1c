package org.leasehold.command.calendar.stored;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.leasehold.calendar.CurrentTenures;
import org.leasehold.command.calendar.Calendar;
import org.leasehold.command.calendar.ClaimRetention;
import org.leasehold.command.calendar.claim.Claims;
import org.leasehold.readmodel.capacity.Availability;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;

import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;

class CalendarConfigurationTest {

    private final PostgresCalendarFixture database = new PostgresCalendarFixture();

    @Test
    void one_bean_implements_the_ports_of_the_calendar() {
        try (AnnotationConfigApplicationContext context = start(Map.of())) {
            assertThat(context.getBean(Calendar.class))
                    .isSameAs(context.getBean(CurrentTenures.class))
                    .isSameAs(context.getBean(ClaimRetention.class));
            assertThat(context.getBean(Availability.class)).isNotNull();
            assertThat(context.getBean(Claims.class).cleaning()).isZero();
        }
    }

    @Test
    void cleaning_time_is_a_setting_and_not_negative() {
        String setting = "leasehold.calendar.cleaning-time";
        try (AnnotationConfigApplicationContext context = start(Map.of(setting, "5m"))) {
            assertThat(context.getBean(Claims.class).cleaning()).isEqualTo(Duration.ofMinutes(5));
        }
        assertThatThrownBy(() -> start(Map.of(setting, "-5m")))
                .isInstanceOf(BeanCreationException.class)
                .hasRootCauseMessage("cleaning-time is not negative: PT-5M");
    }

    private AnnotationConfigApplicationContext start(Map<String, Object> settings) {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.getEnvironment()
                .getPropertySources()
                .addFirst(new MapPropertySource("settings", settings));
        context.getBeanFactory()
                .registerSingleton(
                        "dataSource", Objects.requireNonNull(database.jdbc.getDataSource()));
        context.registerBean(Clock.class, Clock::systemUTC);
        context.getBeanFactory().registerSingleton("journal", PostgresCalendarFixture.NO_JOURNAL);
        context.register(CalendarConfiguration.class);
        context.refresh();
        return context;
    }
}
