package org.leasehold.topic;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

import java.io.PrintStream;
import java.time.Duration;
import java.util.List;

/** Reads a topic of events from its beginning, and checks that no event is missing. */
public final class TopicVerifier {

    private static final int RIGHT = 0;
    private static final int WRONG = 1;
    private static final int UNCHECKED = 2;

    private static final Duration UNDER_WAY = Duration.ofSeconds(10);

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
            return UNCHECKED;
        }
        try (Topic topic = new Topic(arguments.topic(), arguments.properties())) {
            Census.Report report = count(topic, arguments.numbers());
            tell(arguments, report, out);
            return report.wrongs() == 0 ? RIGHT : WRONG;
        } catch (KafkaException | IllegalArgumentException e) {
            err.println("cannot read " + arguments.topic() + ": " + causes(e));
            return UNCHECKED;
        }
    }

    private static Census.Report count(Topic topic, @Nullable LastNumbers numbers) {
        Census census = new Census();
        if (numbers != null) {
            census.expect(numbers.ofProjects());
        }
        topic.readToTheEnd(each -> take(census, each));
        census.expectNoMore();
        long patience = System.nanoTime() + UNDER_WAY.toNanos();
        while (!census.isWhole() && System.nanoTime() < patience) {
            topic.read(each -> take(census, each));
        }
        return census.report();
    }

    private static void take(Census census, ConsumerRecord<String, byte[]> each) {
        Told told;
        try {
            told = Told.of(each);
        } catch (IllegalArgumentException e) {
            census.refuse(each.partition(), each.offset(), String.valueOf(e.getMessage()));
            return;
        }
        census.take(told);
    }

    private static void tell(Arguments arguments, Census.Report report, PrintStream out) {
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
            LastNumbers numbers = arguments.numbers();
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
