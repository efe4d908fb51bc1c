package org.leasehold.verifier;

import org.jspecify.annotations.Nullable;
import org.leasehold.seal.TreeHead;
import org.leasehold.verifier.ExportVerification.Report;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;

/** Checks an export of the events: with the export, a public key, and without the engine. */
public final class AuditVerifier {

    private static final int EXIT_VALID = 0;
    private static final int EXIT_INVALID = 1;
    private static final int EXIT_UNCHECKED = 2;
    private static final int EXIT_OUTDATED = 3;

    private AuditVerifier() {}

    /** Exits with the result of {@link #run}. */
    public static void main(String[] words) {
        System.exit(run(List.of(words), System.in, System.out, System.err));
    }

    /**
     * Checks an export.
     *
     * @param words the arguments of the command line
     * @param in the export, if the arguments say so
     * @param out takes the result of the check, or the first error of the export
     * @param err takes the reason why the export could not be checked
     * @return 0 for an export as it was signed. 1 for any other, or a forbidden withheld event. 2
     *     if it could not be checked. 3 if it should reach further
     */
    public static int run(List<String> words, InputStream in, PrintStream out, PrintStream err) {
        Arguments arguments;
        try {
            arguments = Arguments.of(words);
        } catch (IllegalArgumentException e) {
            err.println(e.getMessage());
            err.print(Arguments.USAGE);
            return EXIT_UNCHECKED;
        }
        try (InputStream export =
                arguments.export().equals("-")
                        ? in
                        : Files.newInputStream(Path.of(arguments.export()))) {
            return verify(arguments, new BoundedLineReader(export), out);
        } catch (IOException | IllegalArgumentException e) {
            err.println("cannot read " + arguments.export() + ": " + e);
            return EXIT_UNCHECKED;
        }
    }

    private static int verify(Arguments arguments, BoundedLineReader lines, PrintStream out)
            throws IOException {
        ExportVerification verification =
                new ExportVerification(arguments.keys(), arguments.kept());
        long number = 1;
        try {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                verification.verify(line);
                number++;
            }
            Report report = verification.finish();
            printReport(report, out);
            if (report.withheld() > 0 && !arguments.allowWithheld()) {
                printWithheld(report, out);
                return EXIT_INVALID;
            }
            return isSignedUntil(report.last(), arguments.until(), out)
                    ? EXIT_VALID
                    : EXIT_OUTDATED;
        } catch (CorruptExport wrong) {
            out.println("WRONG: line " + number + ": " + wrong.getMessage());
            return EXIT_INVALID;
        } catch (CharacterCodingException e) {
            out.println("WRONG: line " + number + ": not UTF-8");
            return EXIT_INVALID;
        }
    }

    /**
     * Reports withheld events. The seals alone do not show who withheld them: the author of the
     * export, or a later owner. So the user must allow withheld events explicitly.
     */
    private static void printWithheld(Report report, PrintStream out) {
        out.printf(
                "WITHHELD: %s of the events, the first at position %s, are not in it: nobody who"
                    + " has it can tell what they were, or who took them out. If they were withheld"
                    + " from whoever got it: --allow-withheld%n",
                report.withheld(), report.firstWithheld());
    }

    /** Checks the last head: nothing else reveals an export that was cut off at a head. */
    private static boolean isSignedUntil(
            TreeHead last, @Nullable LocalDate until, PrintStream out) {
        if (until == null || last.made().atOffset(ZoneOffset.UTC).toLocalDate().isAfter(until)) {
            return true;
        }
        out.printf("OLD: what happened until %s should be signed, and is not in it%n", until);
        return false;
    }

    private static void printReport(Report report, PrintStream out) {
        TreeHead last = report.last();
        out.printf(
                "%s: %s events of %s streams are as they were sealed, up to position %s%n",
                report.installation(), report.events(), report.streams(), last.position());
        if (report.withheld() > 0) {
            out.printf(
                    "%s of them are withheld: their seals are there, and not what they were%n",
                    report.withheld());
        }
        if (report.nameless() > 0) {
            out.printf(
                    "%s of these do not say of which stream: streams were not compared with the"
                            + " heads, the chain of all events was%n",
                    report.nameless());
        }
        out.printf(
                "%s heads are signed, the last one at %s%s; to be kept"
                        + " elsewhere:%n--kept-head=%s:%s%n",
                last.number(),
                last.made(),
                last.day() == null ? "" : ", of " + last.day(),
                last.number(),
                last.hash());
    }
}
