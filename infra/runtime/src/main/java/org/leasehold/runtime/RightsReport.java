package org.leasehold.runtime;

import org.leasehold.resource.CloudCheck;
import org.leasehold.resource.CloudCheck.FoundService;
import org.leasehold.resource.CloudCheck.Misconfigured;
import org.leasehold.resource.CloudCheck.Passed;
import org.leasehold.resource.CloudCheck.Unanswered;
import org.leasehold.resource.RequiredRight;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

/** Tries rights one by one, and prints a line for each. Then it lists the services it found. */
final class RightsReport {

    private final List<Subject> subjects;
    private final SortedMap<String, FoundService> found = new TreeMap<>();
    private final SortedSet<String> advice = new TreeSet<>();
    private int passed;
    private int failed;

    RightsReport(List<Subject> subjects) {
        this.subjects = List.copyOf(subjects);
    }

    /**
     * A part of the engine that needs rights.
     *
     * @param settings checks if the settings fit the cloud; if not, no right is tried
     */
    record Subject(String name, Supplier<CloudCheck> settings, List<RequiredRight> rights) {

        Subject {
            rights = List.copyOf(rights);
        }
    }

    /** Returns true if there are rights to try, and the user has all of them. */
    boolean print(PrintStream out) {
        if (subjects.isEmpty()) {
            out.println("The settings name no real cloud. Set leasehold.plugins.openstack-…");
            return false;
        }
        for (Subject subject : subjects) {
            if (print(out, subject.name() + ": settings and login", subject.settings())) {
                subject.rights()
                        .forEach(
                                right ->
                                        print(
                                                out,
                                                subject.name() + ": " + right.name(),
                                                right.trial()));
            }
        }
        found.forEach((type, service) -> out.println("found   " + type + ": " + service));
        advice.forEach(each -> out.println("advice  " + each));
        out.printf(Locale.ROOT, "%d ok, %d failed%n", passed, failed);
        return failed == 0;
    }

    private boolean print(PrintStream out, String what, Supplier<CloudCheck> trial) {
        CloudCheck result = runCheck(trial);
        switch (result) {
            case Passed(var services, var ofOperator) -> {
                passed++;
                found.putAll(services);
                advice.addAll(ofOperator);
                out.println("ok      " + what);
            }
            case Misconfigured(var reason, var cause) -> fail(out, what, reason, cause);
            case Unanswered(var reason, var cause) -> fail(out, what, reason, cause);
        }
        return result instanceof Passed;
    }

    private void fail(PrintStream out, String what, String reason, String cause) {
        failed++;
        out.println(
                "FAILED  "
                        + what
                        + ": "
                        + reason
                        + (reason.equals(cause) ? "" : " [" + cause + "]"));
    }

    private static CloudCheck runCheck(Supplier<CloudCheck> trial) {
        try {
            return trial.get();
        } catch (RuntimeException broken) {
            return new Unanswered("The trial failed", broken.toString());
        }
    }
}
