package org.leasehold.bench.site;

import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordingFile;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * A profile of an engine during a measurement: the CPU time of its threads from the operating
 * system, and its methods from a flight recording.
 */
public final class EngineProfiler {

    private static final int TOP = 15;

    private final Engine engine;
    private final Path recording;
    private final ThreadCpuTimes before;

    private EngineProfiler(Engine engine, Path recording) throws IOException {
        this.engine = engine;
        this.recording = recording;
        this.before = ThreadCpuTimes.of(engine.pid());
    }

    public static EngineProfiler start(Engine engine, Path recording)
            throws IOException, InterruptedException {
        engine.jcmd("JFR.start", "name=bench", "settings=profile");
        return new EngineProfiler(engine, recording);
    }

    /** Prints the most expensive threads and methods; the recording stays for more analysis. */
    public void stop(PrintStream out) throws IOException, InterruptedException {
        Map<String, Double> threads = ThreadCpuTimes.of(engine.pid()).since(before);
        Files.createDirectories(recording.getParent());
        engine.jcmd("JFR.stop", "name=bench", "filename=" + recording);
        Map<String, Double> methods = new HashMap<>();
        Map<String, Double> ours = new HashMap<>();
        try (RecordingFile file = new RecordingFile(recording)) {
            while (file.hasMoreEvents()) {
                RecordedEvent event = file.readEvent();
                if (event.getEventType().getName().equals("jdk.ExecutionSample")
                        && event.getStackTrace() != null) {
                    List<RecordedFrame> stack = event.getStackTrace().getFrames();
                    count(methods, stack.subList(0, 1));
                    count(
                            ours,
                            stack.stream().filter(EngineProfiler::isEngineCode).limit(1).toList());
                }
            }
        }
        print(
                out,
                "threads of the engine, seconds of CPU",
                threads,
                value -> String.format(Locale.ROOT, "%.2f", value));
        print(out, "methods, samples", methods, value -> String.format(Locale.ROOT, "%.0f", value));
        print(
                out,
                "methods of ours that lead there, samples",
                ours,
                value -> String.format(Locale.ROOT, "%.0f", value));
        out.println("recorded in " + recording);
    }

    private static boolean isEngineCode(RecordedFrame frame) {
        return frame.getMethod().getType().getName().startsWith("org.leasehold");
    }

    private static void count(Map<String, Double> samples, List<RecordedFrame> frames) {
        for (RecordedFrame frame : frames) {
            RecordedMethod method = frame.getMethod();
            samples.merge(method.getType().getName() + "." + method.getName(), 1.0, Double::sum);
        }
    }

    private static void print(
            PrintStream out,
            String title,
            Map<String, Double> amounts,
            Function<Double, String> format) {
        double total = amounts.values().stream().mapToDouble(Double::doubleValue).sum();
        out.printf("%n%s, of %s%n", title, format.apply(total));
        amounts.entrySet().stream()
                .sorted(Map.Entry.<String, Double>comparingByValue(Comparator.reverseOrder()))
                .limit(TOP)
                .forEach(
                        entry ->
                                out.printf(
                                        Locale.ROOT,
                                        "%10s %5.1f %%  %s%n",
                                        format.apply(entry.getValue()),
                                        100 * entry.getValue() / total,
                                        entry.getKey()));
    }
}
