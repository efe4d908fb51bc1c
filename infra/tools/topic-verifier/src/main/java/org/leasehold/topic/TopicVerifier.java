package org.leasehold.topic;

import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Callable;

/**
 * The command line that reads a topic of events from its beginning, and checks its completeness.
 */
@Command(
        name = "java -jar topic-verifier.jar",
        description = "Checks that a topic has every event, in order.",
        optionListHeading = "%nOptions:%n",
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:The topic has every event, in order.",
            "1:An event is missing, contradictory or out of order.",
            "2:The topic could not be read."
        })
public final class TopicVerifier implements Callable<Integer> {

    private static final int EXIT_COMPLETE = 0;
    private static final int EXIT_INCOMPLETE = 1;
    private static final int EXIT_UNCHECKED = 2;

    private static final Duration GAP_TIMEOUT = Duration.ofSeconds(10);

    @Option(
            names = "--bootstrap-servers",
            paramLabel = "HOST:PORT[,...]",
            required = true,
            description = "Brokers for the first connection.")
    private String servers = "";

    @Option(
            names = "--topic",
            paramLabel = "NAME",
            defaultValue = "leasehold.events",
            description = "The topic. Default: ${DEFAULT-VALUE}")
    private String topic = "";

    @Option(
            names = "--numbers",
            paramLabel = "FILE",
            description =
                    "An earlier response of GET /api/events/numbers. It reveals events that are"
                            + " missing at the end of the topic. Use /dev/stdin for the standard"
                            + " input.")
    private @Nullable Path numbersFile;

    @Option(
            names = "--properties",
            paramLabel = "FILE",
            description =
                    "More properties of the Kafka consumer, such as its login and the certificates"
                            + " that it trusts.")
    private @Nullable Path propertiesFile;

    @SuppressWarnings("UnusedVariable") // picocli reads it.
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Prints this text.")
    private boolean help;

    @Spec private CommandSpec spec = CommandSpec.create();

    private final PrintStream out;
    private final PrintStream err;

    private TopicVerifier(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /** Exits with the result of {@link #run}. */
    public static void main(String[] words) {
        // Kafka's client needs no log: its exceptions contain everything that matters.
        System.setProperty("slf4j.internal.verbosity", "ERROR");
        System.exit(run(List.of(words), System.out, System.err));
    }

    /**
     * Reads all present records.
     *
     * @param words the arguments of the command line
     * @param out takes the counts and the errors
     * @param err takes the reason why the topic could not be counted
     * @return 0 if nothing is missing, contradictory or out of order, 1 if something is, 2 if it
     *     could not be read
     */
    public static int run(List<String> words, PrintStream out, PrintStream err) {
        return new CommandLine(new TopicVerifier(out, err))
                .setOut(new PrintWriter(out, true, out.charset()))
                .setErr(new PrintWriter(err, true, err.charset()))
                .setExpandAtFiles(false)
                .setOverwrittenOptionsAllowed(true)
                .setExitCodeExceptionMapper(_ -> EXIT_UNCHECKED)
                .execute(words.toArray(String[]::new));
    }

    /** Checks the topic, and returns the exit status. */
    @Override
    public Integer call() {
        if (servers.isEmpty()) {
            throw invalid("--bootstrap-servers is empty", null);
        }
        if (topic.isEmpty()) {
            throw invalid("--topic is empty", null);
        }
        ExpectedEventNumbers numbers = readNumbers();
        try (TopicReader reader = new TopicReader(topic, consumerProperties())) {
            CompletenessCheck.Report report = countRecords(reader, numbers);
            printReport(report, numbers);
            return report.wrongs() == 0 ? EXIT_COMPLETE : EXIT_INCOMPLETE;
        } catch (KafkaException | IllegalArgumentException e) {
            err.println("cannot read " + topic + ": " + causes(e));
            return EXIT_UNCHECKED;
        }
    }

    private @Nullable ExpectedEventNumbers readNumbers() {
        if (numbersFile == null) {
            return null;
        }
        try {
            return ExpectedEventNumbers.read(numbersFile);
        } catch (IOException e) {
            throw invalid("--numbers: cannot read " + numbersFile, e);
        } catch (IllegalArgumentException e) {
            throw invalid(
                    "--numbers: %s is no response of GET /api/events/numbers: %s"
                            .formatted(numbersFile, e.getMessage()),
                    e);
        }
    }

    private Map<String, Object> consumerProperties() {
        Properties loaded = new Properties();
        if (propertiesFile != null) {
            try (Reader reader = Files.newBufferedReader(propertiesFile)) {
                loaded.load(reader);
            } catch (IOException | IllegalArgumentException e) {
                // The message omits the cause: the file may contain passwords.
                throw invalid("--properties: cannot read " + propertiesFile, e);
            }
        }
        Map<String, Object> properties = new HashMap<>();
        loaded.forEach((name, value) -> properties.put((String) name, value));
        properties.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, servers);
        return properties;
    }

    private ParameterException invalid(String message, @Nullable Throwable cause) {
        return new ParameterException(spec.commandLine(), message, cause);
    }

    private static CompletenessCheck.Report countRecords(
            TopicReader topic, @Nullable ExpectedEventNumbers numbers) {
        CompletenessCheck census = new CompletenessCheck();
        if (numbers != null) {
            census.setMinimumNumbers(numbers.ofProjects());
        }
        topic.readToEnd(each -> countRecord(census, each));
        census.fixHorizon();
        long patience = System.nanoTime() + GAP_TIMEOUT.toNanos();
        while (!census.isComplete() && System.nanoTime() < patience) {
            topic.pollOnce(each -> countRecord(census, each));
        }
        return census.report();
    }

    private static void countRecord(CompletenessCheck census, ConsumerRecord<String, byte[]> each) {
        TopicRecord topicRecord;
        try {
            topicRecord = TopicRecord.of(each);
        } catch (IllegalArgumentException e) {
            census.reportError(each.partition(), each.offset(), String.valueOf(e.getMessage()));
            return;
        }
        census.countRecord(topicRecord);
    }

    private void printReport(
            CompletenessCheck.Report report, @Nullable ExpectedEventNumbers numbers) {
        report.wrong().forEach(each -> out.println("WRONG: " + each));
        if (report.wrongs() > report.wrong().size()) {
            out.printf("and %s more%n", report.wrongs() - report.wrong().size());
        }
        out.printf(
                "%s: %s events of %s projects and %s leases and resources, up to position %s;"
                        + " %s repeats%n",
                topic,
                report.events(),
                report.projects(),
                report.keys(),
                report.position(),
                report.repeats());
        if (report.wrongs() == 0) {
            out.println("no event of a project is missing, and all events are in order");
            if (numbers != null) {
                out.printf(
                        "the topic has all events that %s projects had at position %s%n",
                        numbers.ofProjects().size(), numbers.position());
            }
        }
    }

    /** Joins the messages of all causes: Kafka explains an error in the last one. */
    private static String causes(Throwable e) {
        Throwable cause = e.getCause();
        return cause == null
                ? String.valueOf(e.getMessage())
                : e.getMessage() + ": " + causes(cause);
    }
}
