package org.leasehold.publishing.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.publishing.DocumentsFixture;
import org.leasehold.publishing.Publication;
import org.leasehold.readmodel.event.EventFeed;
import org.leasehold.readmodel.event.EventFeed.Batch;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.readmodel.operation.ProjectionOffsets;
import org.leasehold.readmodel.usage.Metering;
import org.leasehold.wire.event.EventDocuments;
import org.leasehold.wire.lease.OperatorLeaseDocuments;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The topics that are written. */
class KafkaSettingsTest {

    private static final String KAFKA = "leasehold.kafka.bootstrap-servers=kafka-1:9092";

    @Test
    void no_publication_exists_without_a_broker_address() {
        assertThat(publications()).isEmpty();
        assertThat(publications("leasehold.kafka.leases-topic=leases")).isEmpty();
    }

    @Test
    void a_broker_address_enables_all_publications() {
        assertThat(publications(KAFKA)).containsExactlyInAnyOrder(ALL);
        assertThat(publications(KAFKA, "leasehold.kafka.leases-topic=leases"))
                .containsExactlyInAnyOrder(ALL);
    }

    @ParameterizedTest
    @CsvSource({
        "events-topic,kafka-events",
        "leases-topic,kafka-leases",
        "usage-topic,kafka-usage"
    })
    void a_topic_without_a_name_has_no_publication(String setting, String publication) {
        assertThat(publications(KAFKA, "leasehold.kafka." + setting + "="))
                .containsExactlyInAnyOrder(
                        Arrays.stream(ALL)
                                .filter(name -> !name.startsWith(publication))
                                .toArray(String[]::new));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "leases/1", " ", "ä"})
    void an_invalid_topic_name_is_reported_with_the_setting(String name) {
        assertThatThrownBy(() -> settings("events", name, "usage", "PT1H"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("leasehold.kafka.leases-topic");
        assertThatThrownBy(() -> settings(name, "leases", "usage", "PT1H"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("leasehold.kafka.events-topic");
    }

    /** A compacted topic would lose events. */
    @Test
    void two_publications_cannot_share_a_topic() {
        assertThatThrownBy(() -> settings("one", "one", "usage", "PT1H"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("leasehold.kafka.leases-topic");
        assertThatThrownBy(() -> settings("one", "two", "two", "PT1H"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("leasehold.kafka.usage-topic");
        assertThat(settings("", "", "", "PT1H").eventsTopic()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "-PT1H", "PT30S", "PT90S", "PT7M", "PT48H"})
    void a_usage_interval_must_be_whole_minutes_and_divide_a_day(String interval) {
        assertThatThrownBy(() -> settings("events", "leases", "usage", interval))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("leasehold.kafka.usage-interval");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT1M", "PT15M", "PT1H", "P1D"})
    void a_usage_interval_that_divides_a_day_is_accepted(String interval) {
        assertThat(settings("events", "leases", "usage", interval).usageInterval())
                .isEqualTo(Duration.parse(interval));
    }

    private static KafkaSettings settings(
            String events, String leases, String usage, String interval) {
        return new KafkaSettings(null, events, leases, usage, Duration.parse(interval), Map.of());
    }

    private static final String[] ALL = {
        KafkaConfiguration.EVENTS,
        KafkaConfiguration.LEASES,
        KafkaConfiguration.USAGE,
        KafkaConfiguration.USAGE_READINGS
    };

    private static List<String> publications(String... settings) {
        Map<String, Object> properties = new HashMap<>();
        for (String setting : settings) {
            String[] words = setting.split("=", 2);
            properties.put(words[0], words[1]);
        }
        JdbcClient jdbc = JdbcClient.create(new DriverManagerDataSource());
        try (AnnotationConfigApplicationContext beans = new AnnotationConfigApplicationContext()) {
            beans.getEnvironment()
                    .getPropertySources()
                    .addFirst(new MapPropertySource("test", properties));
            beans.registerBean(JdbcClient.class, () -> jdbc);
            beans.registerBean(
                    EventFeed.class, () -> question -> new Batch(List.of(), question.after()));
            beans.registerBean(ProjectionOffsets.class, NoProjections::new);
            beans.registerBean(Leases.class, () -> new FakeLeases(jdbc));
            beans.registerBean(EventDocuments.class, () -> KafkaFixture.DOCUMENTS);
            beans.registerBean(OperatorLeaseDocuments.class, DocumentsFixture::operatorLeases);
            beans.registerBean(Metering.class, () -> new FakeMetering(jdbc));
            beans.registerBean(Clock.class, Clock::systemUTC);
            beans.register(KafkaConfiguration.class);
            beans.refresh();
            return beans.getBeansOfType(Publication.class).values().stream()
                    .map(Publication::name)
                    .toList();
        }
    }

    private static final class NoProjections implements ProjectionOffsets {

        @Override
        public Set<String> names() {
            return Set.of();
        }

        @Override
        public long position(String name) {
            return 0;
        }

        @Override
        public long await(String name, long position, Duration longest) {
            return 0;
        }
    }
}
