package org.leasehold.topic;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

import java.io.PrintStream;
import java.time.Duration;
import java.util.List;

/** Reads a topic of events from its beginning, and checks that no event is missing. */
public final class TopicVerifier {

    private static final int EXIT_COMPLETE = 0;
    private static final int EXIT_INCOMPLETE = 1;
    private static final int EXIT_UNCHECKED = 2;

    private static final Duration GAP_TIMEOUT = Duration.ofSeconds(10);

    private TopicVerifier() {}

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
        Arguments arguments;
        try {
            arguments = Arguments.of(words);
        } catch (IllegalArgumentException e) {
            err.println(e.getMessage());
            err.print(Arguments.USAGE);
            return EXIT_UNCHECKED;
        }
        try (TopicReader topic = new TopicReader(arguments.topic(), arguments.properties())) {
            CompletenessCheck.Report report = countRecords(topic, arguments.numbers());
            printReport(arguments, report, out);
            return report.wrongs() == 0 ? EXIT_COMPLETE : EXIT_INCOMPLETE;
        } catch (KafkaException | IllegalArgumentException e) {
            err.println("cannot read " + arguments.topic() + ": " + causes(e));
            return EXIT_UNCHECKED;
        }
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
        TopicRecord told;
        try {
            told = TopicRecord.of(each);
        } catch (IllegalArgumentException e) {
            census.reportError(each.partition(), each.offset(), String.valueOf(e.getMessage()));
            return;
        }
        census.countRecord(told);
    }

    private static void printReport(
            Arguments arguments, CompletenessCheck.Report report, PrintStream out) {
        report.wrong().forEach(each -> out.println("WRONG: " + each));
        if (report.wrongs() > report.wrong().size()) {
            out.printf("and %s more%n", report.wrongs() - report.wrong().size());
        }
        out.printf(
                "%s: %s events of %s projects and %s leases and resources, up to position %s;"
                        + " %s repeats%n",
                arguments.topic(),
                report.events(),
                report.projects(),
                report.keys(),
                report.position(),
                report.repeats());
        if (report.wrongs() == 0) {
            out.println("every project's numbers are there, and everything is in order");
            ExpectedEventNumbers numbers = arguments.numbers();
            if (numbers != null) {
                out.printf(
                        "so are the last ones that %s projects had at position %s%n",
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
