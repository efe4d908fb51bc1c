package org.leasehold.topic;

import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * The arguments of the command line.
 *
 * @param numbers the numbers that must exist at least; null if they are not given
 * @param properties the consumer's properties, by Kafka's names
 */
record Arguments(
        String topic, @Nullable ExpectedEventNumbers numbers, Map<String, Object> properties) {

    static final String USAGE =
            """
            java -jar topic-verifier.jar --bootstrap-servers=HOST:PORT[,…] [--topic=NAME]
                [--numbers=FILE] [--properties=FILE]

              --bootstrap-servers  some of the brokers
              --topic              leasehold.events if it is left out
              --numbers            what GET /api/events/numbers has answered, before: what is
                                   missing at the end shows by it; /dev/stdin will do
              --properties         what a consumer is to know besides: how to log in, whom to trust

            Ends with 0 if every event is there and in order, 1 if not, 2 if it could not be read.
            """;

    private static final String SERVERS = "--bootstrap-servers=";
    private static final String TOPIC = "--topic=";
    private static final String NUMBERS = "--numbers=";
    private static final String PROPERTIES = "--properties=";

    /**
     * Parses the arguments.
     *
     * @throws IllegalArgumentException if they are invalid
     */
    static Arguments of(List<String> words) {
        String servers = "";
        String topic = "leasehold.events";
        ExpectedEventNumbers numbers = null;
        Map<String, Object> properties = new HashMap<>();
        for (String word : words) {
            if (word.startsWith(SERVERS)) {
                servers = word.substring(SERVERS.length());
            } else if (word.startsWith(TOPIC)) {
                topic = word.substring(TOPIC.length());
            } else if (word.startsWith(NUMBERS)) {
                numbers = numbers(word.substring(NUMBERS.length()));
            } else if (word.startsWith(PROPERTIES)) {
                load(word.substring(PROPERTIES.length()), properties);
            } else {
                throw new IllegalArgumentException("unknown: " + word);
            }
        }
        if (servers.isEmpty()) {
            throw new IllegalArgumentException("--bootstrap-servers is missing");
        }
        if (topic.isEmpty()) {
            throw new IllegalArgumentException("--topic is empty");
        }
        properties.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, servers);
        return new Arguments(topic, numbers, properties);
    }

    private static ExpectedEventNumbers numbers(String file) {
        try {
            return ExpectedEventNumbers.read(Path.of(file));
        } catch (IOException e) {
            throw new IllegalArgumentException("--numbers: cannot read " + file, e);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "--numbers: %s is no answer of GET /api/events/numbers: %s"
                            .formatted(file, e.getMessage()),
                    e);
        }
    }

    private static void load(String file, Map<String, Object> properties) {
        Properties loaded = new Properties();
        try (Reader reader = Files.newBufferedReader(Path.of(file))) {
            loaded.load(reader);
        } catch (IOException | IllegalArgumentException e) {
            // The message omits the cause: the file may contain passwords.
            throw new IllegalArgumentException("--properties: cannot read " + file, e);
        }
        loaded.forEach((name, value) -> properties.put((String) name, value));
    }

    /** Omits the properties, which may contain passwords. */
    @Override
    public String toString() {
        return "Arguments[" + topic + "]";
    }
}
