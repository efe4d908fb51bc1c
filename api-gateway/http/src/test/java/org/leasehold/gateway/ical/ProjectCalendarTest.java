package org.leasehold.gateway.ical;

import static org.assertj.core.api.Assertions.assertThat;

import biweekly.Biweekly;
import biweekly.ICalVersion;
import biweekly.ICalendar;
import biweekly.component.VEvent;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.calendar.CalendarFeeds.Places;
import org.leasehold.readmodel.calendar.CalendarFeeds.PlannedLease;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** Files, read back by a library that other calendar programs use. */
class ProjectCalendarTest {

    private static final Instant MADE = Instant.parse("2030-01-01T09:00:00.123456Z");
    private static final Instant CHANGED = Instant.parse("2030-01-01T10:00:00.5Z");
    private static final Instant START = Instant.parse("2030-01-02T08:00:00Z");
    private static final Instant END = Instant.parse("2030-01-02T17:30:00Z");
    private static final LeaseId LEASE = new LeaseId(new UUID(1, 1));

    private static PlannedLease lease(String name, LeaseStatus status, Instant end, long version) {
        return new PlannedLease(
                LEASE,
                name,
                status,
                START,
                end,
                MADE,
                CHANGED,
                version,
                List.of(
                        new Places(ResourceKind.PHYSICAL_HOST, 25, List.of(7L, 8L)),
                        new Places(new ResourceKind("virtual:network"), 1, List.of(9L))));
    }

    private static String text(PlannedLease... leases) {
        return new ProjectCalendar(new ProjectId("astronomy"), null, List.of(leases), false).text();
    }

    private static ICalendar read(String text) {
        ICalendar calendar = Biweekly.parse(text).first();
        assertThat(calendar.validate(ICalVersion.V2_0)).isEmpty();
        return calendar;
    }

    private static VEvent event(PlannedLease lease) {
        return read(text(lease)).getEvents().getFirst();
    }

    @Test
    void a_lease_becomes_a_calendar_event() {
        VEvent event = event(lease("night", LeaseStatus.ACTIVE, END, 7));

        assertThat(event.getUid().getValue()).isEqualTo(LEASE.toString());
        assertThat(event.getDateStart().getValue().toInstant()).isEqualTo(START);
        assertThat(event.getDateEnd().getValue().toInstant()).isEqualTo(END);
        assertThat(event.getDateTimeStamp().getValue().toInstant())
                .isEqualTo(Instant.parse("2030-01-01T10:00:00Z"));
        assertThat(event.getLastModified().getValue().toInstant())
                .isEqualTo(Instant.parse("2030-01-01T10:00:00Z"));
        assertThat(event.getCreated().getValue().toInstant())
                .isEqualTo(Instant.parse("2030-01-01T09:00:00Z"));
        assertThat(event.getSequence().getValue()).isEqualTo(7);
        assertThat(event.getSummary().getValue()).isEqualTo("night");
        assertThat(event.getDescription().getValue())
                .isEqualTo(
                        "25 × physical:host: 7, 8, …\n"
                                + "1 × virtual:network: 9\n"
                                + "Status: active\n"
                                + "Lease: "
                                + LEASE);
        assertThat(event.getCategories().getFirst().getValues())
                .containsExactly("physical:host", "virtual:network");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "one, two; three",
                "back\\slash\\n",
                "first\nsecond",
                "night"
                    + " 🔭🔭🔭🔭🔭🔭🔭🔭🔭🔭🔭🔭🔭🔭🔭🔭🔭🔭🔭🔭🔭🔭🔭🔭🔭🔭🔭🔭🔭🔭🔭🔭🔭🔭🔭🔭🔭🔭🔭🔭",
                "é\u0301 ünïcödé ünïcödé ünïcödé ünïcödé ünïcödé ünïcödé ünïcödé ünïcödé ünïcödé",
                "many words many words many words many words many words many words many words many",
                "\"quoted\": END:VEVENT",
                "BEGIN:VEVENT\nEND:VCALENDAR"
            })
    void a_lease_name_with_special_characters_is_escaped_correctly(String name) {
        String text = text(lease(name, LeaseStatus.ACTIVE, END, 1));

        assertThat(read(text).getEvents()).hasSize(1);
        assertThat(event(lease(name, LeaseStatus.ACTIVE, END, 1)).getSummary().getValue())
                .isEqualTo(name);
        assertThat(text).endsWith("END:VCALENDAR\r\n");
        for (String line : text.split("\r\n", -1)) {
            assertThat(line.getBytes(StandardCharsets.UTF_8).length).as(line).isLessThan(76);
            assertThat(line).doesNotContain("\n", "\r");
            assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(line)).as(line).isTrue();
        }
    }

    @Test
    void control_characters_are_removed_and_blank_names_are_replaced() {
        assertThat(
                        event(lease("a\u0007b\u0085c", LeaseStatus.ACTIVE, END, 1))
                                .getSummary()
                                .getValue())
                .isEqualTo("abc");
        assertThat(event(lease(" ", LeaseStatus.ACTIVE, END, 1)).getSummary().getValue())
                .isEqualTo("Lease " + LEASE);
    }

    @Test
    void a_changed_lease_keeps_the_uid_of_the_calendar_event() {
        VEvent before = event(lease("night", LeaseStatus.PENDING, END, 2));
        VEvent after = event(lease("night", LeaseStatus.PENDING, END.plusSeconds(3600), 3));

        assertThat(after.getUid()).isEqualTo(before.getUid());
        assertThat(after.getSequence().getValue()).isGreaterThan(before.getSequence().getValue());
        assertThat(after.getDateEnd().getValue()).isAfter(before.getDateEnd().getValue());
    }

    @Test
    void a_calendar_event_lasts_at_least_one_second() {
        VEvent event = event(lease("x", LeaseStatus.ENDED, START.plusNanos(1000), 1));

        assertThat(event.getDateEnd().getValue().toInstant()).isEqualTo(START.plusSeconds(1));
    }

    @ParameterizedTest
    @CsvSource({
        "PENDING, CONFIRMED",
        "ACTIVE, CONFIRMED",
        "ENDED, CONFIRMED",
        "DELAYED, TENTATIVE",
        "ERROR, TENTATIVE",
        "DELETING, CANCELLED"
    })
    void a_lease_status_is_mapped_to_a_calendar_status(LeaseStatus status, String word) {
        assertThat(event(lease("x", status, END, 1)).getStatus().getValue()).isEqualTo(word);
    }

    @Test
    void equal_leases_produce_equal_files_and_no_leases_an_empty_file() {
        PlannedLease lease = lease("x", LeaseStatus.ACTIVE, END, 1);
        assertThat(text(lease)).isEqualTo(text(lease));

        ICalendar none = Biweekly.parse(text()).first();
        assertThat(none.getEvents()).isEmpty();
        assertThat(none.getNames().getFirst().getValue()).isEqualTo("Leases of astronomy");
        assertThat(none.getRefreshInterval().getValue().toString()).isEqualTo("PT15M");
    }
}
