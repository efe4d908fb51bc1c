package org.leasehold.publishing.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.publishing.EventForm;
import org.leasehold.publishing.LeaseDocument;
import org.leasehold.publishing.Publication;
import org.leasehold.query.Feed;
import org.leasehold.query.Feed.Batch;
import org.leasehold.query.Leases;
import org.leasehold.query.Projections;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which topics are written. */
class KafkaSettingsTest {

    private static final String KAFKA = "leasehold.kafka.bootstrap-servers=kafka-1:9092";

    @Test
    void without_kafka_there_is_none() {
        assertThat(publications()).isEmpty();
        assertThat(publications("leasehold.kafka.leases-topic=leases")).isEmpty();
    }

    @Test
    void with_kafka_there_are_all() {
        assertThat(publications(KAFKA)).containsExactlyInAnyOrder(ALL);
        assertThat(publications(KAFKA, "leasehold.kafka.leases-topic=leases"))
                .containsExactlyInAnyOrder(ALL);
    }

    @ParameterizedTest
    @CsvSource({"events-topic,kafka-events", "leases-topic,kafka-leases"})
    void one_without_a_name_is_not_written(String setting, String publication) {
        assertThat(publications(KAFKA, "leasehold.kafka." + setting + "="))
                .containsExactlyInAnyOrder(
                        Arrays.stream(ALL)
                                .filter(name -> !name.startsWith(publication))
                                .toArray(String[]::new));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "leases/1", " ", "ä"})
    void what_is_no_name_is_named(String name) {
        assertThatThrownBy(() -> new KafkaSettings(null, "events", name, Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("leasehold.kafka.leases-topic");
        assertThatThrownBy(() -> new KafkaSettings(null, name, "leases", Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("leasehold.kafka.events-topic");
    }

    /** What is compacted would lose events. */
    @Test
    void two_do_not_share_one() {
        assertThatThrownBy(() -> new KafkaSettings(null, "one", "one", Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("leasehold.kafka.leases-topic");
        assertThat(new KafkaSettings(null, "", "", Map.of()).eventsTopic()).isEmpty();
    }

    private static final String[] ALL = {KafkaConfiguration.EVENTS, KafkaConfiguration.LEASES};

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
                    Feed.class, () -> question -> new Batch(List.of(), question.after()));
            beans.registerBean(Projections.class, NoProjections::new);
            beans.registerBean(Leases.class, () -> new StoredLeases(jdbc));
            beans.registerBean(EventForm.class, () -> World.FORM);
            beans.registerBean(LeaseDocument.class, () -> StoredLeases.DOCUMENT);
            beans.register(KafkaConfiguration.class);
            beans.refresh();
            return beans.getBeansOfType(Publication.class).values().stream()
                    .map(Publication::name)
                    .toList();
        }
    }

    private static final class NoProjections implements Projections {

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
