package org.leasehold.query.booking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.leasehold.query.booking.BookingEventLog.host;
import static org.leasehold.query.booking.BookingEventLog.lease;
import static org.leasehold.query.booking.BookingEventLog.minute;
import static org.leasehold.query.booking.BookingEventLog.share;
import static org.leasehold.query.booking.BookingEventLog.window;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.history.RecordedEvent;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.Requirement.Comparison;
import org.leasehold.inventory.Requirement.Operator;
import org.leasehold.inventory.ResourceEvent;
import org.leasehold.inventory.ResourceEvent.ResourceChanged;
import org.leasehold.inventory.ResourceEvent.ResourceEnrolled;
import org.leasehold.inventory.ResourceEvent.ResourceRetired;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.UseObserved;
import org.leasehold.query.account.AccountEntry;
import org.leasehold.query.account.AccountEntry.What;
import org.leasehold.query.account.LeaseAccounts;
import org.leasehold.query.capacity.projection.CapacityProjectionFixture;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.UnknownMarker;
import org.leasehold.readmodel.calendar.BookingCalendar.Filter;
import org.leasehold.readmodel.usage.Usages;
import org.leasehold.readmodel.usage.Usages.ListUsage;
import org.leasehold.readmodel.usage.Usages.Usage;
import org.leasehold.readmodel.usage.Usages.Use;
import org.leasehold.vocabulary.ProjectId;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Function;

class PostgresUsagesTest {

    private static final Filter ANY = new Filter(null, null, null, null);
    private static final Filter HOSTS = new Filter(null, null, null, ResourceKind.PHYSICAL_HOST);
    private static final List<List<String>> PAIRS =
            List.of(
                    List.of(Usages.BY_PROJECT, "gpu"),
                    List.of("gpu", Usages.BY_ZONE),
                    List.of(Usages.BY_RESOURCE, Usages.BY_LEASE),
                    List.of("gpu", "vcpus"));
    private static final Instant FROM = minute(-60);
    private static final Instant TO = minute(2_000);

    private static final Requirement GPU_V100 = new Comparison(Operator.EQUAL, "gpu", "V100");
    private static final BigDecimal ZERO = BigDecimal.valueOf(0, 6);

    private static BookingEventLog journal;
    private static Usages usages;

    @BeforeAll
    static void open() {
        journal = new BookingEventLog();
        usages = new PostgresUsages(journal.database.client());
    }

    @AfterAll
    static void close() {
        journal.close();
    }

    @BeforeEach
    void empty() {
        journal.empty();
        for (int host = 1; host <= RandomLeases.HOSTS; host++) {
            journal.enrol(host, "physical:host");
        }
    }

    private static void follow() {
        journal.follow();
        CapacityProjectionFixture.follow(journal);
    }

    @Test
    void reserved_time_before_a_late_start_is_lost() {
        journal.book(1, "astronomy", window(60, 120), share(1, 3));
        journal.start(70, 1);
        journal.end(100, 1, EndCause.REQUESTED);
        follow();

        assertThat(usageLinesBy(null)).containsExactly("null physical:host 7200 5400 1800");
    }

    @Test
    void future_time_is_not_counted() {
        journal.book(1, "astronomy", window(60, 120), host(1));
        journal.start(60, 1);
        follow();

        assertThat(usageLines(question(ANY, null, FROM, TO, minute(61), null)))
                .containsExactly("null physical:host 60 60 0");
        assertThat(usageLines(question(ANY, null, FROM, TO, minute(60), null))).isEmpty();
        assertThat(usageLines(question(ANY, null, minute(30), TO, minute(10), null))).isEmpty();
    }

    @Test
    void usage_is_limited_to_the_queried_window() {
        journal.book(1, "astronomy", window(60, 120), host(1));
        journal.start(60, 1);
        follow();

        assertThat(usageLines(question(ANY, null, minute(100), minute(110), TO, null)))
                .containsExactly("null physical:host 600 600 0");
    }

    @Test
    void usage_is_grouped_by_the_properties_at_the_time() {
        journal.book(1, "astronomy", window(60, 120), host(1), host(2));
        journal.start(60, 1);
        journal.happen(80, new ResourceChanged(new ResourceId(1), Map.of("gpu", "A100"), Set.of()));
        journal.happen(110, new ResourceChanged(new ResourceId(1), Map.of(), Set.of("gpu")));
        follow();

        assertThat(usageLinesBy("gpu"))
                .containsExactly(
                        "A100 physical:host 1800 1800 0",
                        "V100 physical:host 4800 4800 0",
                        "null physical:host 600 600 0");
        assertThat(usageLinesBy(Usages.BY_ZONE))
                .containsExactly(
                        "east physical:host 3600 3600 0", "west physical:host 3600 3600 0");
    }

    @Test
    void usage_is_grouped_by_pairs_of_values() {
        journal.book(1, "astronomy", window(60, 120), host(1), host(2));
        journal.book(2, "biology", window(120, 180), host(1));
        journal.happen(80, new ResourceChanged(new ResourceId(1), Map.of("gpu", "A100"), Set.of()));
        follow();

        assertThat(pairs(List.of(Usages.BY_PROJECT, "gpu"), Requirement.none()))
                .containsExactly("astronomy A100 2400", "astronomy V100 4800", "biology A100 3600");
    }

    @Test
    void a_requirement_counts_only_resources_that_match_at_the_time() {
        journal.book(1, "astronomy", window(60, 120), host(1), host(2));
        journal.happen(80, new ResourceChanged(new ResourceId(1), Map.of("gpu", "A100"), Set.of()));
        follow();

        assertThat(pairs(List.of(Usages.BY_RESOURCE), GPU_V100))
                .containsExactly("1 null 1200", "2 null 3600");
        Requirement west = new Comparison(Operator.EQUAL, "availability_zone", "west");
        assertThat(pairs(List.of(Usages.BY_PROJECT), west)).containsExactly("astronomy null 3600");
        Requirement absent = new Comparison(Operator.EQUAL, "gpu", "H100");
        assertThat(pairs(List.of(), absent)).isEmpty();
    }

    private static List<String> pairs(List<String> by, Requirement requirement) {
        return usages.page(split(by, requirement)).items().stream()
                .map(
                        line ->
                                "%s %s %s"
                                        .formatted(
                                                line.value(), line.other(), plain(line.reserved())))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(longs = {6, 7})
    void lines_of_pairs_add_up_to_the_lines_of_each_dimension(long seed) {
        live(new SplittableRandom(seed));

        for (List<String> by : PAIRS) {
            List<Usage> pairs = usages.page(split(by, Requirement.none())).items();
            assertThat(pairs).as("by %s", by).hasSizeGreaterThan(1);
            assertThat(sums(pairs, Usage::value))
                    .as("first of %s", by)
                    .isEqualTo(lines(question(HOSTS, by.getFirst(), FROM, TO, TO, null)));
            assertThat(sums(pairs, Usage::other))
                    .as("second of %s", by)
                    .isEqualTo(lines(question(HOSTS, by.getLast(), FROM, TO, TO, null)));
        }
        Map<String, Usage> byGpu = new TreeMap<>(lines(question(HOSTS, "gpu", FROM, TO, TO, null)));
        byGpu.remove("null");
        assertThat(byGpu).isNotEmpty();
        byGpu.forEach(
                (gpu, line) -> {
                    Requirement required = new Comparison(Operator.EQUAL, "gpu", gpu);
                    assertThat(
                                    sums(
                                            usages.page(split(List.of("gpu"), required)).items(),
                                            Usage::value))
                            .as("a requirement selects the lines of the value")
                            .isEqualTo(Map.of(gpu, line));
                });
    }

    private static Map<String, Usage> sums(
            List<Usage> pairs, Function<Usage, @Nullable String> dimension) {
        Map<String, Usage> sums = new TreeMap<>();
        for (Usage pair : pairs) {
            String value = dimension.apply(pair);
            sums.merge(
                    String.valueOf(value),
                    exact(
                            new Usage(
                                    value,
                                    null,
                                    pair.kind(),
                                    pair.reserved(),
                                    pair.active(),
                                    pair.use())),
                    (one, other) ->
                            new Usage(
                                    value,
                                    null,
                                    one.kind(),
                                    one.reserved().add(other.reserved()),
                                    one.active().add(other.active()),
                                    one.use().plus(other.use())));
        }
        return sums;
    }

    @Test
    void reserved_time_outside_the_enrolment_of_a_resource_is_counted() {
        journal.book(1, "astronomy", window(-700, -500), host(1));
        journal.happen(-580, new ResourceRetired(new ResourceId(1)));
        follow();

        assertThat(usageLines(question(ANY, "gpu", minute(-800), TO, TO, null)))
                .containsExactly("V100 physical:host 12000 0 12000");
    }

    @Test
    void the_last_observation_determines_the_use_of_a_host() {
        journal.book(1, "astronomy", window(60, 120), host(1), host(2));
        journal.start(60, 1);
        journal.see(65, 1, 1, 0, 0);
        journal.see(90, 1, 1, 2, 8);
        journal.see(80, 1, 2, 1, 4);
        journal.see(125, 1, 1, 7, 7);
        follow();

        assertThat(use(question(ANY, null, FROM, TO, TO, null)))
                .as("55 and 40 minutes, 25 of them idle, 2 x 30 and 1 x 40, 8 x 30 and 4 x 40")
                .isEqualTo(new Use(minutes(95), minutes(25), minutes(100), minutes(400)));
        assertThat(use(question(ANY, null, minute(70), minute(100), TO, null)))
                .isEqualTo(new Use(minutes(50), minutes(20), minutes(40), minutes(160)));
        assertThat(use(question(ANY, null, FROM, TO, TO, journal.database.head() - 3)))
                .as("as it was known when it had been seen once")
                .isEqualTo(new Use(minutes(55), minutes(55), minutes(0), minutes(0)));
    }

    @Test
    void an_observation_after_a_clock_reset_replaces_later_observations() {
        journal.book(1, "astronomy", window(60, 120), host(1));
        journal.start(60, 1);
        journal.see(70, 1, 1, 1, 1);
        journal.see(100, 1, 1, 3, 3);
        journal.see(80, 1, 1, 0, 0);
        follow();

        assertThat(use(question(ANY, null, FROM, TO, TO, null)))
                .isEqualTo(new Use(minutes(50), minutes(40), minutes(10), minutes(10)));
    }

    @Test
    void a_share_of_a_host_has_no_observed_use() {
        journal.book(1, "astronomy", window(60, 120), share(1, 3));
        journal.start(60, 1);
        journal.see(70, 1, 1, 1, 1);
        follow();

        assertThat(use(question(ANY, null, FROM, TO, TO, null)))
                .isEqualTo(new Use(minutes(0), minutes(0), minutes(0), minutes(0)));
    }

    @Test
    void usage_is_separate_for_each_kind() {
        journal.enrol(9, "virtual:network");
        journal.book(1, "astronomy", window(60, 120), host(1), host(9));
        follow();

        assertThat(usageLinesBy(Usages.BY_LEASE))
                .containsExactly(
                        lease(1) + " physical:host 3600 0 3600",
                        lease(1) + " virtual:network 3600 0 3600");
    }

    @Test
    void usage_is_filtered_by_project_lease_resource_and_kind() {
        journal.book(1, "astronomy", window(60, 120), host(1));
        journal.book(2, "biology", window(120, 180), host(1), host(2));
        follow();

        assertThat(usageLines(of(new Filter(null, new ProjectId("biology"), null, null))))
                .containsExactly("null physical:host 7200 0 7200");
        assertThat(usageLines(of(new Filter(null, null, lease(1), null))))
                .containsExactly("null physical:host 3600 0 3600");
        assertThat(usageLines(of(new Filter(new ResourceId(2), null, null, null))))
                .containsExactly("null physical:host 3600 0 3600");
        assertThat(usageLines(of(new Filter(null, null, null, ResourceKind.NETWORK)))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void usage_equals_the_lease_accounts(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        live(random);
        long head = journal.database.head();

        for (int i = 0; i < 6; i++) {
            Instant from = minute(random.nextInt(200)).plusNanos(1000L * random.nextInt(1_000_000));
            Instant to = from.plusSeconds(1 + random.nextLong(10_000));
            Instant now = minute(random.nextInt(100, 300));
            Long asOf = random.nextBoolean() ? null : random.nextLong(1, head + 1);
            for (String by : bys()) {
                assertThat(lines(question(ANY, by, from, to, now, asOf)))
                        .as("by %s as of %s", by, asOf)
                        .isEqualTo(accounted(by, from, to.isAfter(now) ? now : to, asOf));
            }
        }
    }

    @Test
    void random_leases_cover_each_measure() {
        live(new SplittableRandom(1));

        assertThat(lines(of(ANY)).values())
                .singleElement()
                .satisfies(usage -> assertThat(usage.active()).isPositive())
                .satisfies(usage -> assertThat(usage.lost()).isPositive())
                .satisfies(usage -> assertThat(usage.use().idle()).isPositive())
                .satisfies(
                        usage ->
                                assertThat(usage.use().observed())
                                        .isBetween(usage.use().idle(), usage.active())
                                        .isNotEqualTo(usage.use().idle()))
                .satisfies(usage -> assertThat(usage.use().vcpus()).isPositive());
        assertThat(lines(question(ANY, "gpu", FROM, TO, TO, null)))
                .hasSizeGreaterThan(1)
                .containsKey("null");
    }

    @Test
    void pages_together_equal_the_whole_list() {
        live(new SplittableRandom(5));
        List<List<String>> splits = new ArrayList<>(PAIRS);
        bys().forEach(by -> splits.add(by == null ? List.of() : List.of(by)));
        for (List<String> by : splits) {
            ListUsage question = split(by, Requirement.none());
            List<Usage> all = usages.page(question).items();
            List<Usage> paged = new ArrayList<>();
            @Nullable String marker = null;
            do {
                Page<Usage> page = usages.page(page(by, TO, marker));
                paged.addAll(page.items());
                marker = page.next();
            } while (marker != null);
            assertThat(paged).as("by " + by).isEqualTo(all).isNotEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x",
                "physical:host me",
                "usage physical:host",
                "usage physical:host me",
                "usage physical:host \0",
                "usage  ",
                "split physical:host",
                "split physical:host =MQ =MQ"
            })
    void an_unknown_marker_is_rejected(String decoded) {
        for (String by : List.of(Usages.BY_LEASE, Usages.BY_RESOURCE)) {
            String marker =
                    Base64.getUrlEncoder()
                            .withoutPadding()
                            .encodeToString(decoded.getBytes(StandardCharsets.UTF_8));
            for (Instant now : List.of(FROM, TO)) {
                var question = page(List.of(by), now, marker);
                assertThatThrownBy(() -> usages.page(question)).isInstanceOf(UnknownMarker.class);
            }
        }
    }

    private static List<@Nullable String> bys() {
        return Arrays.asList(
                null,
                Usages.BY_LEASE,
                Usages.BY_PROJECT,
                Usages.BY_RESOURCE,
                Usages.BY_ZONE,
                "gpu");
    }

    private static ListUsage of(Filter filter) {
        return question(filter, null, FROM, TO, TO, null);
    }

    private static ListUsage question(
            Filter filter,
            @Nullable String by,
            Instant from,
            Instant to,
            Instant now,
            @Nullable Long asOf) {
        return new ListUsage(
                filter,
                by == null ? List.of() : List.of(by),
                Requirement.none(),
                from,
                to,
                now,
                asOf,
                null,
                1000);
    }

    private static ListUsage split(List<String> by, Requirement requirement) {
        return new ListUsage(HOSTS, by, requirement, FROM, TO, TO, null, null, 1000);
    }

    private static ListUsage page(List<String> by, Instant now, @Nullable String marker) {
        return new ListUsage(HOSTS, by, Requirement.none(), FROM, TO, now, null, marker, 1);
    }

    private static List<String> usageLinesBy(@Nullable String by) {
        return usageLines(question(ANY, by, FROM, TO, TO, null));
    }

    private static List<String> usageLines(ListUsage question) {
        return usages.page(question).items().stream()
                .map(
                        line ->
                                "%s %s %s %s %s"
                                        .formatted(
                                                line.value(),
                                                line.kind(),
                                                plain(line.reserved()),
                                                plain(line.active()),
                                                plain(line.lost())))
                .toList();
    }

    private static String plain(BigDecimal seconds) {
        return seconds.stripTrailingZeros().toPlainString();
    }

    private static Map<String, Usage> lines(ListUsage question) {
        Map<String, Usage> lines = new TreeMap<>();
        for (Usage line : usages.page(question).items()) {
            lines.merge(
                    String.valueOf(line.value()),
                    exact(line),
                    (_, _) -> {
                        throw new AssertionError("twice: " + line);
                    });
        }
        return lines;
    }

    private static Usage exact(Usage line) {
        return new Usage(
                line.value(),
                null,
                line.kind(),
                line.reserved().setScale(6),
                line.active().setScale(6),
                exact(line.use()));
    }

    private static Use exact(Use use) {
        return new Use(
                use.observed().setScale(6),
                use.idle().setScale(6),
                use.servers().setScale(6),
                use.vcpus().setScale(6));
    }

    /** Returns the use in the only line. */
    private static Use use(ListUsage question) {
        return exact(usages.page(question).items().getFirst().use());
    }

    private static BigDecimal minutes(long minutes) {
        return BigDecimal.valueOf(60 * minutes).setScale(6);
    }

    private static void live(SplittableRandom random) {
        SplittableRandom others = random.split();
        new RandomLeases(journal, random, PostgresUsagesTest::follow)
                .with(
                        minute -> {
                            if (others.nextInt(4) == 0) {
                                journal.happen(minute, change(others));
                            }
                            for (int i = 0; i < 3; i++) {
                                see(minute, others);
                            }
                        })
                .live(120);
    }

    /** Observes a use, sometimes by a clock that was set back. */
    private static void see(long minute, SplittableRandom random) {
        journal.see(
                random.nextInt(8) == 0 ? minute - random.nextInt(20) : minute,
                1 + random.nextInt(RandomLeases.LEASES),
                1 + random.nextInt(2),
                1 + random.nextInt(RandomLeases.HOSTS),
                random.nextInt(3),
                random.nextInt(9));
    }

    private static ResourceChanged change(SplittableRandom random) {
        ResourceId resource = new ResourceId(1L + random.nextInt(RandomLeases.HOSTS));
        return random.nextBoolean()
                ? new ResourceChanged(resource, Map.of("gpu", "A100"), Set.of())
                : new ResourceChanged(resource, Map.of(), Set.of("gpu"));
    }

    /** Computes the same from the leases' accounts and the resources' state in each minute. */
    private static Map<String, Usage> accounted(
            @Nullable String by, Instant from, Instant until, @Nullable Long asOf) {
        long last = asOf == null ? Long.MAX_VALUE : asOf;
        List<RecordedEvent> changes =
                journal.events(ResourceEvent.class).stream()
                        .filter(event -> event.position() <= last)
                        .toList();
        List<RecordedEvent> looks =
                journal.events(UseObserved.class).stream()
                        .filter(event -> event.position() <= last)
                        .toList();
        Map<String, Usage> lines = new TreeMap<>();
        for (List<RecordedEvent> life : journal.lives().values()) {
            List<RecordedEvent> known =
                    life.stream().filter(event -> event.position() <= last).toList();
            String project = known.isEmpty() ? "" : BookingProjection.ownerOf(known);
            for (AccountEntry entry : LeaseAccounts.of(LeaseBookings.of(known), until)) {
                Instant at = entry.starts().isBefore(from) ? from : entry.starts();
                while (entry.what() != What.OVERRUN && at.isBefore(entry.ends())) {
                    Instant next = nextMinute(at);
                    next = next.isAfter(entry.ends()) ? entry.ends() : next;
                    String value =
                            switch (by) {
                                case null -> null;
                                case Usages.BY_LEASE -> known.getFirst().stream();
                                case Usages.BY_PROJECT -> project;
                                case Usages.BY_RESOURCE -> entry.resource().toString();
                                case Usages.BY_ZONE ->
                                        entry.resource().value() % 2 == 0 ? "east" : "west";
                                default -> gpu(entry.resource(), at, changes);
                            };
                    lines.merge(
                            String.valueOf(value),
                            usage(value, entry, Duration.between(at, next), seen(entry, at, looks)),
                            (one, other) ->
                                    new Usage(
                                            value,
                                            null,
                                            one.kind(),
                                            one.reserved().add(other.reserved()),
                                            one.active().add(other.active()),
                                            one.use().plus(other.use())));
                    at = next;
                }
            }
        }
        return lines;
    }

    private static Usage usage(
            @Nullable String value, AccountEntry entry, Duration time, @Nullable UseObserved seen) {
        BigDecimal seconds =
                BigDecimal.valueOf(time.toNanos() / 1000, 6)
                        .multiply(BigDecimal.valueOf(entry.slots()));
        return new Usage(
                value,
                null,
                ResourceKind.PHYSICAL_HOST,
                seconds,
                entry.what() == What.ACTIVE ? seconds : ZERO,
                seen == null
                        ? new Use(ZERO, ZERO, ZERO, ZERO)
                        : new Use(
                                seconds,
                                seen.servers() == 0 ? seconds : ZERO,
                                seconds.multiply(BigDecimal.valueOf(seen.servers())),
                                seconds.multiply(BigDecimal.valueOf(seen.vcpus()))));
    }

    /** Returns the last observation of an entry by an instant; null if there is none. */
    private static @Nullable UseObserved seen(
            AccountEntry entry, Instant at, List<RecordedEvent> looks) {
        if (entry.what() != What.ACTIVE || entry.promised().share() != null) {
            return null;
        }
        String stream = entry.reservation() + "/" + entry.resource();
        return looks.stream()
                .filter(look -> look.stream().equals(stream) && !look.decidedAt().isAfter(at))
                .reduce((_, later) -> later)
                .map(look -> (UseObserved) look.event())
                .orElse(null);
    }

    private static Instant nextMinute(Instant at) {
        return minute(
                1 + Math.floorDiv(Duration.between(minute(0), at).toNanos(), 60_000_000_000L));
    }

    private static @Nullable String gpu(
            ResourceId resource, Instant at, List<RecordedEvent> changes) {
        @Nullable String gpu = null;
        for (RecordedEvent event : changes) {
            if (event.stream().equals(resource.toString()) && !event.decidedAt().isAfter(at)) {
                gpu =
                        switch (event.event()) {
                            case ResourceEnrolled _ -> "V100";
                            case ResourceChanged(_, var set, _) -> set.get("gpu");
                            default -> throw new AssertionError(event);
                        };
            }
        }
        return gpu;
    }
}
