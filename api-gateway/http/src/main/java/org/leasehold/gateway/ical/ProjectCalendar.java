package org.leasehold.gateway.ical;

import org.jspecify.annotations.Nullable;
import org.leasehold.readmodel.calendar.CalendarFeeds.Places;
import org.leasehold.readmodel.calendar.CalendarFeeds.PlannedLease;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.vocabulary.ProjectId;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A project's leases as an iCalendar file, each of them an event. The same leases give the same
 * file: its stamps are the times of changes, not of reading.
 *
 * @param name the name that the creator of the feed chose; null for none
 * @param leases by start
 * @param more whether there are others, which start later
 */
public record ProjectCalendar(
        ProjectId project, @Nullable String name, List<PlannedLease> leases, boolean more) {

    private static final String EVENT_COMPONENT = "VEVENT";

    /** The interval at which a reader should refresh the file. */
    private static final String REFRESH_INTERVAL = "PT15M";

    public ProjectCalendar {
        leases = List.copyOf(leases);
    }

    /** Returns the file; its lines end as the format requires. */
    public String text() {
        IcalWriter text =
                new IcalWriter()
                        .begin("VCALENDAR")
                        .value("VERSION", "2.0")
                        .value("PRODID", "-//Leasehold//Leasehold 1//EN")
                        .value("CALSCALE", "GREGORIAN");
        String title = name == null ? "Leases of " + project : name;
        text.text("NAME", title).text("X-WR-CALNAME", title);
        text.text("DESCRIPTION", description()).text("X-WR-CALDESC", description());
        text.value("REFRESH-INTERVAL;VALUE=DURATION", REFRESH_INTERVAL)
                .value("X-PUBLISHED-TTL", REFRESH_INTERVAL);
        if (leases.isEmpty()) {
            // A file without any component would be malformed.
            addUtcTimeZone(text);
        }
        leases.forEach(lease -> addEvent(lease, text));
        return text.end("VCALENDAR").toString();
    }

    private String description() {
        String whose = "What is leased by the project " + project + ".";
        return more
                ? whose
                        + " There is more than fits: only the first %s leases are here, and not those that start after %s."
                                .formatted(leases.size(), leases.getLast().starts())
                : whose;
    }

    private static void addUtcTimeZone(IcalWriter text) {
        text.begin("VTIMEZONE")
                .value("TZID", "Etc/UTC")
                .begin("STANDARD")
                .value("DTSTART", "19700101T000000")
                .value("TZOFFSETFROM", "+0000")
                .value("TZOFFSETTO", "+0000")
                .end("STANDARD")
                .end("VTIMEZONE");
    }

    private static void addEvent(PlannedLease lease, IcalWriter text) {
        text.begin(EVENT_COMPONENT)
                .value("UID", lease.id().toString())
                .instant("DTSTAMP", lease.changedAt())
                .instant("CREATED", lease.createdAt())
                .instant("LAST-MODIFIED", lease.changedAt())
                .value("SEQUENCE", Long.toString(lease.version()))
                .instant("DTSTART", lease.starts())
                .instant("DTEND", roundedEnd(lease))
                .text("SUMMARY", lease.name().isBlank() ? "Lease " + lease.id() : lease.name())
                .text("DESCRIPTION", description(lease))
                .value("STATUS", toIcalStatus(lease.status()))
                .texts("CATEGORIES", lease.places().stream().map(p -> p.kind().value()).toList())
                // A lease does not make a user busy.
                .value("TRANSP", "TRANSPARENT")
                .end(EVENT_COMPONENT);
    }

    /** Rounds up to a whole second after the start: an event without length would be malformed. */
    private static Instant roundedEnd(PlannedLease lease) {
        Instant second = lease.ends().truncatedTo(ChronoUnit.SECONDS);
        return second.equals(lease.ends()) ? second : second.plusSeconds(1);
    }

    private static String description(PlannedLease lease) {
        List<String> lines = new ArrayList<>();
        lease.places().forEach(places -> lines.add(describeResources(places)));
        lines.add("Status: " + lease.status().name().toLowerCase(Locale.ROOT));
        lines.add("Lease: " + lease.id());
        return String.join("\n", lines);
    }

    private static String describeResources(Places places) {
        String named = String.join(", ", places.resources().stream().map(String::valueOf).toList());
        String others = places.count() > places.resources().size() ? ", …" : "";
        return "%s × %s: %s%s".formatted(places.count(), places.kind().value(), named, others);
    }

    private static String toIcalStatus(LeaseStatus status) {
        return switch (status) {
            case PENDING, STARTING, ACTIVE, ENDING, ENDED -> "CONFIRMED";
            // Promised, but not in the promised state; or not promised yet.
            case RETRYING, DELAYED, ERROR -> "TENTATIVE";
            case DELETING -> "CANCELLED";
        };
    }
}
