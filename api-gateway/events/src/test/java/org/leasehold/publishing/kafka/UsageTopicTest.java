package org.leasehold.publishing.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.leasehold.publishing.kafka.KafkaFixture.header;

import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.leasehold.publishing.PublicationOwnership;
import org.leasehold.publishing.Publisher;
import org.springframework.dao.DataAccessException;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** The guarantees for consumers of the topic of usage when any process dies. */
@Timeout(180)
class UsageTopicTest {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");

    private static KafkaFixture world;
    private FakeMetering usage;
    private String topic;
    private Instant now = NOON.plusSeconds(600);

    @BeforeAll
    static void start() {
        world = new KafkaFixture(KafkaConfiguration.USAGE);
    }

    @AfterAll
    static void stop() {
        world.close();
    }

    @BeforeEach
    void begin() {
        topic = world.begin();
        usage = new FakeMetering(world.database.client());
    }

    private final Clock clock =
            new Clock() {
                @Override
                public ZoneId getZone() {
                    return ZoneOffset.UTC;
                }

                @Override
                public Clock withZone(ZoneId zone) {
                    throw new UnsupportedOperationException();
                }

                @Override
                public Instant instant() {
                    return now;
                }
            };

    private Publisher ofEvents(String node) {
        UsageRecordMapper records = new UsageRecordMapper(topic, "test");
        return new Publisher(
                world.ownership(node),
                world.feed(),
                world.projections(),
                KafkaConfiguration.LEASE_EVENTS,
                () ->
                        KafkaConnection.ofDerivedRecords(
                                world.settings("", "", topic, Map.of()),
                                () -> new EventUsageAggregator(usage, records)));
    }

    private Publisher ofReadings(String node) {
        UsageRecordMapper records = new UsageRecordMapper(topic, "test");
        ReadingsFeed readings = feed();
        return new Publisher(
                new PublicationOwnership(
                        world.database.client(), KafkaConfiguration.USAGE_READINGS, node),
                readings,
                readings,
                KafkaConfiguration.READINGS,
                () ->
                        KafkaConnection.ofDerivedRecords(
                                world.settings("", "", topic, Map.of()),
                                () -> new ReadingUsageAggregator(usage, records)));
    }

    private ReadingsFeed feed() {
        return new ReadingsFeed(usage, clock, Duration.ofHours(1));
    }

    private static String lease(int number) {
        return new UUID(7, number).toString();
    }

    private static void happens(int leases, String... types) {
        for (int i = 0; i < leases; i++) {
            for (String type : types) {
                world.database.append("Lease", lease(i), type, "{\"projectId\": \"p1\"}", "{}");
            }
        }
        world.follow();
    }

    private List<String> ids() {
        return world.read(topic).stream().map(record -> header(record, "ce_id")).toList();
    }

    private static List<String> expected(int leases, Object... whens) {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < leases; i++) {
            for (Object when : whens) {
                ids.add(FakeMetering.id(lease(i), when).toString());
            }
        }
        return ids;
    }

    @Test
    void the_usage_of_each_event_is_published_once() throws InterruptedException {
        happens(120, "LeaseRequested", "ReservationGranted");
        Publisher publisher = ofEvents("a");
        publisher.publish();
        happens(1, "LeaseStarting");
        publisher.publish();

        List<String> expected = expected(120, 0L, 1L);
        expected.addAll(expected(1, 2L));
        assertThat(ids()).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void an_observed_use_publishes_no_usage_record() throws InterruptedException {
        happens(1, "LeaseRequested");
        world.seeUse();
        Publisher publisher = ofEvents("a");
        assertThat(publisher.publish()).hasValue(2);
        world.seeUse();
        assertThat(publisher.publish()).hasValue(3);

        assertThat(ids()).containsExactlyElementsOf(expected(1, 0L));
    }

    @Test
    void running_usage_is_published_hourly_including_missed_hours() throws InterruptedException {
        happens(120, "LeaseRequested");
        Publisher publisher = ofReadings("a");
        assertThat(publisher.publish()).hasValue(NOON.getEpochSecond());
        assertThat(publisher.publish()).hasValue(NOON.getEpochSecond());
        now = NOON.plus(Duration.ofMinutes(59));
        publisher.publish();
        assertThat(ids()).containsExactlyInAnyOrderElementsOf(expected(120, NOON));

        now = NOON.plus(Duration.ofMinutes(185));
        assertThat(feed().lag(NOON.getEpochSecond())).isEqualTo(3);
        publisher.publish();

        assertThat(feed().lag(NOON.plusSeconds(3 * 3600).getEpochSecond())).isZero();
        assertThat(ids())
                .containsExactlyInAnyOrderElementsOf(
                        expected(
                                120,
                                NOON,
                                NOON.plusSeconds(3600),
                                NOON.plusSeconds(2 * 3600),
                                NOON.plusSeconds(3 * 3600)));
    }

    /** Metering systems detect a repeat by its id. */
    @Test
    void records_repeated_after_a_crash_are_identical() throws InterruptedException {
        happens(3, "LeaseRequested", "ReservationGranted");
        world.database
                .jdbc()
                .execute(
                        """
                        CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS
                            'BEGIN RAISE EXCEPTION ''killed''; END';
                        CREATE TRIGGER die BEFORE UPDATE ON publication FOR EACH ROW
                            WHEN (old.position <> new.position) EXECUTE FUNCTION die();
                        """);
        try {
            assertThatThrownBy(() -> ofEvents("a").publish())
                    .isInstanceOf(DataAccessException.class);
            assertThatThrownBy(() -> ofReadings("a").publish())
                    .isInstanceOf(DataAccessException.class);
        } finally {
            world.database.jdbc().execute("DROP FUNCTION die CASCADE");
        }
        Map<String, String> first = values();
        // Meanwhile an event occurs, and an hour passes.
        happens(3, "LeaseStarting");
        now = NOON.plus(Duration.ofMinutes(70));
        world.letTheOwnersTimePass();
        ofReadings("b").publish();
        ofEvents("b").publish();

        assertThat(ids()).hasSize(9 + 9 + 6);
        assertThat(first).hasSize(9);
        assertThat(values())
                .containsAllEntriesOf(first)
                .containsOnlyKeys(expected(3, 0L, 1L, 2L, NOON, NOON.plusSeconds(3600)));
    }

    /** Returns the values by id; fails if an id has two meanings. */
    private Map<String, String> values() {
        Map<String, String> values = new TreeMap<>();
        for (ConsumerRecord<String, String> record : world.read(topic)) {
            String id = header(record, "ce_id");
            assertThat(record.value()).isEqualTo(values.getOrDefault(id, record.value()));
            values.put(id, record.value());
        }
        return values;
    }

    @Test
    void a_usage_record_matches_the_asyncapi_schema() throws InterruptedException {
        happens(1, "LeaseRequested");
        ofEvents("a").publish();

        ConsumerRecord<String, String> record = world.read(topic).getFirst();
        assertThat(record.key()).isEqualTo(lease(0));
        assertThat(record.value())
                .isEqualTo(
                        """
                        {"id":"%s","project_id":"p1","lease_id":"%s",\
                        "reservation_id":"00000000-0000-0003-0000-000000000003",\
                        "kind":"virtual:instance","resource_id":7,"resource_name":"compute-7",\
                        "resource_kind":"physical:host","properties":{"gpu":"V100"},"slots":2,\
                        "needs":{"VCPU":4},"from":"2030-01-01T12:00:00Z",\
                        "until":"2030-01-01T12:01:30.250Z","unit":"s",\
                        "reserved":90.25,"active":180.5,"lost":-90.25}\
                        """
                                .formatted(FakeMetering.id(lease(0), 0L), lease(0)));
        JsonNode described = JSON.readTree(Path.of("../../infra/docs/openapi/asyncapi.json"));
        JsonNode message = described.at("/components/messages/Usage.v1");
        ObjectNode headers = JSON.createObjectNode();
        record.headers().forEach(each -> headers.put(each.key(), header(record, each.key())));
        assertThat(complaints(described, message.path("payload"), JSON.readTree(record.value())))
                .isEmpty();
        assertThat(complaints(described, message.path("headers"), headers)).isEmpty();
        for (String field : List.copyOf(headers.propertyNames())) {
            ObjectNode less = headers.deepCopy();
            less.remove(field);
            assertThat(complaints(described, message.path("headers"), less)).isNotEmpty();
        }
        ObjectNode value = (ObjectNode) JSON.readTree(record.value());
        for (String field : List.copyOf(value.propertyNames())) {
            ObjectNode other = value.deepCopy();
            other.put(field, true);
            assertThat(complaints(described, message.path("payload"), other))
                    .as(field)
                    .isNotEmpty();
        }
    }

    private static List<com.networknt.schema.Error> complaints(
            JsonNode described, JsonNode schema, JsonNode instance) {
        assertThat(schema.isMissingNode()).isFalse();
        ObjectNode whole = JSON.createObjectNode();
        whole.set("components", described.path("components"));
        whole.set("allOf", JSON.createArrayNode().add(schema));
        return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_7)
                .getSchema(whole)
                .validate(
                        instance,
                        context ->
                                context.executionConfig(
                                        config -> config.formatAssertionsEnabled(true)));
    }
}
