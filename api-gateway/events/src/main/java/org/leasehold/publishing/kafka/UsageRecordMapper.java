package org.leasehold.publishing.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.leasehold.readmodel.usage.UsageRecord;
import org.leasehold.vocabulary.Share;

import tools.jackson.databind.json.JsonMapper;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Usage as CloudEvents 1.0 in Kafka, in binary mode. */
final class UsageRecordMapper {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final String topic;
    private final String source;

    /**
     * Takes the topic and the source.
     *
     * @param source the name of the engine, as a URI reference; without an epoch, because the same
     *     usage keeps its id when it is published again
     */
    UsageRecordMapper(String topic, String source) {
        this.topic = topic;
        this.source = source;
    }

    List<ProducerRecord<byte[], byte[]>> mapUsage(List<UsageRecord> usage) {
        return usage.stream().map(this::mapUsage).toList();
    }

    private ProducerRecord<byte[], byte[]> mapUsage(UsageRecord usage) {
        ProducerRecord<byte[], byte[]> mapped =
                new ProducerRecord<>(
                        topic,
                        usage.lease().toString().getBytes(UTF_8),
                        JSON.writeValueAsBytes(fields(usage)));
        // Metering systems sum by the subject, so it is the charged project.
        new CloudEventAttributes(mapped.headers())
                .cloudEvent(source, usage.id().toString(), "org.leasehold.Usage")
                .with("ce_subject", usage.project().value())
                .with("ce_time", usage.from().toString())
                .with("ce_dataversion", "1");
        return mapped;
    }

    private static Map<String, @Nullable Object> fields(UsageRecord usage) {
        Share share = usage.allocation().share();
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("id", usage.id().toString());
        fields.put("project_id", usage.project().value());
        fields.put("lease_id", usage.lease().toString());
        fields.put("reservation_id", usage.reservation().toString());
        fields.put("kind", usage.kind().value());
        fields.put("resource_id", usage.resource().value());
        fields.put("resource_name", usage.allocation().name());
        fields.put("resource_kind", usage.resourceKind().value());
        fields.put("properties", usage.allocation().properties());
        fields.put("slots", usage.allocation().slots());
        fields.put("needs", share == null ? null : share.needs());
        fields.put("from", usage.from().toString());
        fields.put("until", usage.until().toString());
        fields.put("unit", "s");
        fields.put("reserved", seconds(usage.activeTime().plus(usage.lostTime())));
        fields.put("active", seconds(usage.activeTime()));
        fields.put("lost", seconds(usage.lostTime()));
        return fields;
    }

    /** Returns the exact value, so that sums are exact too. */
    private static BigDecimal seconds(Duration time) {
        BigDecimal seconds =
                BigDecimal.valueOf(time.getSeconds())
                        .add(BigDecimal.valueOf(time.getNano(), 9))
                        .stripTrailingZeros();
        return seconds.scale() < 0 ? seconds.setScale(0) : seconds;
    }
}
