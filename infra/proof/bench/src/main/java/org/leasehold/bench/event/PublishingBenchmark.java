package org.leasehold.bench.event;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.leasehold.bench.create.CreateBenchmark;
import org.leasehold.bench.load.LoadGenerator;
import org.leasehold.bench.load.LoadProfile;
import org.leasehold.bench.measurement.Benchmark;
import org.leasehold.bench.measurement.BenchmarkMetric;
import org.leasehold.bench.site.BenchmarkSite;
import org.leasehold.bench.site.CpuTime;
import org.leasehold.bench.site.KafkaProcess;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

/**
 * The rate at which past events are published to Kafka, compared with a bare producer on the same
 * broker; and the delay of new events.
 */
public final class PublishingBenchmark implements Benchmark {

    private static final String NAME = "publish";
    private static final double MIN_EVENTS_PER_SECOND = 20_000;
    private static final double MAX_P99_MILLIS = 250;
    private static final int LEASES_PER_SECOND = 500;
    private static final int CLIENTS = 32;

    /** The share to reach: the last requests are pending when the time is over. */
    private static final double MIN_CREATED_SHARE = 0.99;

    /** The number of published records that the baseline sends repeatedly. */
    private static final int SAMPLE = 20_000;

    private static final int POLL_INTERVAL_MILLIS = 5;
    private static final Duration POLL_TIMEOUT = Duration.ofMillis(100);

    private static final List<TopicPartition> PARTITIONS =
            IntStream.range(0, KafkaProcess.PARTITIONS)
                    .mapToObj(number -> new TopicPartition(KafkaProcess.EVENTS, number))
                    .toList();

    private final BenchmarkSite site;
    private final KafkaProcess broker;
    private final List<ConsumerRecord<byte[], byte[]>> sample = new ArrayList<>();

    public PublishingBenchmark(BenchmarkSite site, KafkaProcess broker) {
        this.site = site;
        this.broker = broker;
    }

    /** Waits for the backlog, which the engine publishes after its start. */
    @Override
    public void warmUp() throws IOException, SQLException, InterruptedException {
        awaitPublished();
        try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
            consumer.assign(PARTITIONS);
            consumer.seekToBeginning(PARTITIONS);
            while (sample.size() < Math.min(SAMPLE, site.settings().events())) {
                consumer.poll(POLL_TIMEOUT).forEach(sample::add);
            }
        }
        baseline();
        Duration half = Duration.ofSeconds(site.settings().warmUp()).dividedBy(2);
        measureDelay(CreateBenchmark.Way.overHttp(site), half);
        measureDelay(CreateBenchmark.Way.throughBus(site), half);
    }

    @Override
    public List<BenchmarkMetric> round() throws IOException, SQLException, InterruptedException {
        List<BenchmarkMetric> figures = new ArrayList<>();
        double baseline = baseline();
        figures.add(BenchmarkMetric.of(NAME, "a bare producer", baseline, "/s"));
        CpuTime before = site.engine().cpuTime();
        Published published = republishAll();
        CpuTime used = site.engine().cpuTime().since(before);
        double events = published.events;
        figures.add(
                BenchmarkMetric.of(NAME, "published", published.perSecond, "/s")
                        .atLeast(MIN_EVENTS_PER_SECOND));
        figures.add(
                BenchmarkMetric.of(NAME, "per bare producer", published.perSecond / baseline, ""));
        figures.add(
                BenchmarkMetric.of(
                        NAME, "CPU per event, engine", 1e6 * used.engine() / events, "µs"));
        figures.add(
                BenchmarkMetric.of(
                        NAME, "CPU per event, database", 1e6 * used.database() / events, "µs"));
        figures.add(
                BenchmarkMetric.of(
                        NAME,
                        "CPU per event, Kafka and others",
                        1e6 * used.others() / events,
                        "µs"));
        Duration time = Duration.ofSeconds(site.settings().seconds());
        addDelayMetrics(
                "over HTTP", measureDelay(CreateBenchmark.Way.overHttp(site), time), figures);
        addDelayMetrics(
                "command bus", measureDelay(CreateBenchmark.Way.throughBus(site), time), figures);
        return figures;
    }

    private void addDelayMetrics(String way, Late late, List<BenchmarkMetric> figures) {
        figures.add(
                BenchmarkMetric.of(NAME, way + ": leases created", late.created.perSecond(), "/s")
                        .atLeast(leasesPerSecond() * MIN_CREATED_SHARE));
        String stored = way + ": from stored to received, ";
        figures.add(BenchmarkMetric.of(NAME, stored + "p50", late.millis(50), "ms"));
        figures.add(
                BenchmarkMetric.of(NAME, stored + "p99", late.millis(99), "ms")
                        .below(MAX_P99_MILLIS));
        figures.add(BenchmarkMetric.of(NAME, stored + "longest", late.millis(100), "ms"));
    }

    private int leasesPerSecond() {
        int asked = site.settings().rate();
        return asked == 0 ? LEASES_PER_SECOND : asked;
    }

    /** Returns records per second, with the same sizes, durability and compression. */
    private double baseline() throws InterruptedException {
        Map<String, Object> properties =
                Map.of(
                        "bootstrap.servers",
                        broker.address(),
                        "acks",
                        "all",
                        "enable.idempotence",
                        true,
                        "compression.type",
                        "zstd",
                        "linger.ms",
                        5,
                        "batch.size",
                        128 << 10,
                        "buffer.memory",
                        64 << 20);
        int events = site.settings().events();
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(
                        properties, new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.partitionsFor(KafkaProcess.BASELINE);
            List<Future<?>> sent = new ArrayList<>(events);
            long began = System.nanoTime();
            for (int number = 0; number < events; number++) {
                ConsumerRecord<byte[], byte[]> like = sample.get(number % sample.size());
                sent.add(
                        producer.send(
                                new ProducerRecord<>(
                                        KafkaProcess.BASELINE,
                                        null,
                                        null,
                                        like.key(),
                                        like.value(),
                                        like.headers())));
            }
            producer.flush();
            double seconds = (System.nanoTime() - began) / 1e9;
            for (Future<?> each : sent) {
                each.get();
            }
            return events / seconds;
        } catch (ExecutionException e) {
            throw new IllegalStateException("Kafka did not take a record", e.getCause());
        }
    }

    private record Published(long events, double perSecond) {}

    /** Publishes all events again; the time runs from the first new record to the last. */
    private Published republishAll() throws IOException, SQLException, InterruptedException {
        try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
            long before = totalEndOffset(consumer);
            long events = site.database().queryNumber("SELECT count(*) FROM domain_event");
            site.database()
                    .execute("UPDATE publication SET position = 0 WHERE name = 'kafka-events'");
            long first = before;
            while (first == before) {
                Thread.sleep(POLL_INTERVAL_MILLIS);
                first = totalEndOffset(consumer);
            }
            long began = System.nanoTime();
            while (totalEndOffset(consumer) < before + events) {
                Thread.sleep(POLL_INTERVAL_MILLIS);
            }
            double seconds = (System.nanoTime() - began) / 1e9;
            awaitPublished();
            return new Published(events, (before + events - first) / seconds);
        }
    }

    private void awaitPublished() throws IOException, SQLException, InterruptedException {
        BenchmarkSite.await(
                () ->
                        site.database()
                                        .queryNumber(
                                                """
                                                SELECT max(e.position) - (SELECT position FROM publication
                                                    WHERE name = 'kafka-events')
                                                FROM domain_event e\
                                                """)
                                == 0);
    }

    private static long totalEndOffset(KafkaConsumer<?, ?> consumer) {
        return consumer.endOffsets(PARTITIONS).values().stream().mapToLong(Long::longValue).sum();
    }

    /** The created leases, and the delay of their events. */
    private record Late(LoadGenerator.Outcome created, Histogram micros) {

        double millis(double percentile) {
            return micros.getValueAtPercentile(percentile) / 1e3;
        }
    }

    private Late measureDelay(CreateBenchmark.Way way, Duration time)
            throws IOException, SQLException, InterruptedException {
        AtomicBoolean over = new AtomicBoolean();
        try (KafkaConsumer<byte[], byte[]> consumer = consumer();
                ExecutorService thread = Executors.newSingleThreadExecutor()) {
            consumer.assign(PARTITIONS);
            consumer.seekToEnd(PARTITIONS);
            PARTITIONS.forEach(consumer::position);
            Future<Histogram> received = thread.submit(() -> recordDelays(consumer, over));
            try {
                LoadGenerator.Outcome created =
                        way.create(LoadProfile.open(CLIENTS, time, leasesPerSecond()))
                                .requireSuccess();
                awaitPublished();
                over.set(true);
                return new Late(created, received.get());
            } finally {
                over.set(true);
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("Nothing can be received", e.getCause());
        }
    }

    /** Measures delays by one clock: database and consumer are on one machine. */
    private static Histogram recordDelays(
            KafkaConsumer<byte[], byte[]> consumer, AtomicBoolean over) {
        Histogram micros = new Histogram(3);
        boolean last = false;
        while (!last) {
            // The last pass receives the events published before the end.
            last = over.get();
            for (ConsumerRecord<byte[], byte[]> event : consumer.poll(POLL_TIMEOUT)) {
                Instant recorded =
                        Instant.parse(
                                new String(
                                        event.headers().lastHeader("ce_recordedtime").value(),
                                        UTF_8));
                micros.recordValue(Math.max(0, ChronoUnit.MICROS.between(recorded, Instant.now())));
            }
        }
        return micros;
    }

    private KafkaConsumer<byte[], byte[]> consumer() {
        return new KafkaConsumer<>(
                Map.of("bootstrap.servers", broker.address()),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
    }
}
