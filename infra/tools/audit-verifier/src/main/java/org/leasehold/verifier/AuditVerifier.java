package org.leasehold.verifier;

import org.jspecify.annotations.Nullable;
import org.leasehold.seal.Hash;
import org.leasehold.seal.TreeHead;
import org.leasehold.seal.TrustedKeys;
import org.leasehold.verifier.ExportVerification.Report;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** The command line that checks an export of events with a public key, without the engine. */
@Command(
        name = "java -jar audit-verifier.jar",
        description = "Checks an export of events. It reads only the export and the keys.",
        optionListHeading = "%nOptions:%n",
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:The export has all events as they were signed.",
            "1:The export was changed, or events are withheld without --allow-withheld.",
            "2:The export could not be checked.",
            "3:The export has all events as they were signed, but ends before --until."
        })
public final class AuditVerifier implements Callable<Integer> {

    private static final int EXIT_VALID = 0;
    private static final int EXIT_INVALID = 1;
    private static final int EXIT_UNCHECKED = 2;
    private static final int EXIT_OUTDATED = 3;

    private static final String STANDARD_INPUT = "-";

    @Option(
            names = "--key",
            paramLabel = "FILE",
            required = true,
            description =
                    "A trusted public key in PEM, as 'openssl pkey -pubout' writes it."
                            + " Repeatable.")
    private List<Path> keyFiles = List.of();

    @Option(
            names = "--kept-head",
            paramLabel = "NUMBER:HASH",
            converter = KeptHead.Converter.class,
            description = "A head that you keep outside of the engine. Repeatable.")
    private List<KeptHead> keptHeads = List.of();

    @Option(
            names = "--until",
            paramLabel = "DAY",
            description = "A day in UTC, such as 2030-01-31. All its events must be signed.")
    private @Nullable LocalDate until;

    @Option(
            names = "--allow-withheld",
            description = "Permits events that are represented by their seals alone.")
    private boolean allowWithheld;

    @Parameters(
            paramLabel = "EXPORT",
            description = "The file of the export, or - for the standard input.")
    private String export = "";

    @SuppressWarnings("UnusedVariable") // picocli reads it.
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Prints this text.")
    private boolean help;

    @Spec private CommandSpec spec = CommandSpec.create();

    private final InputStream in;
    private final PrintStream out;
    private final PrintStream err;

    private AuditVerifier(InputStream in, PrintStream out, PrintStream err) {
        this.in = in;
        this.out = out;
        this.err = err;
    }

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
        return new CommandLine(new AuditVerifier(in, out, err))
                .setOut(new PrintWriter(out, true, out.charset()))
                .setErr(new PrintWriter(err, true, err.charset()))
                .setExpandAtFiles(false)
                .setOverwrittenOptionsAllowed(true)
                .setExitCodeExceptionMapper(_ -> EXIT_UNCHECKED)
                .execute(words.toArray(String[]::new));
    }

    /** Checks the export, and returns the exit status. */
    @Override
    public Integer call() {
        ExportVerification verification = new ExportVerification(trustedKeys(), headsByNumber());
        try (InputStream bytes =
                export.equals(STANDARD_INPUT) ? in : Files.newInputStream(Path.of(export))) {
            return verify(verification, new BoundedLineReader(bytes));
        } catch (IOException | IllegalArgumentException e) {
            err.println("cannot read " + export + ": " + e);
            return EXIT_UNCHECKED;
        }
    }

    private TrustedKeys trustedKeys() {
        try {
            return PublicKeyFiles.read(keyFiles);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--key: " + e.getMessage(), e);
        }
    }

    private Map<Long, Hash> headsByNumber() {
        Map<Long, Hash> heads = new HashMap<>();
        for (KeptHead head : keptHeads) {
            Hash other = heads.put(head.number(), head.hash());
            if (other != null && !other.equals(head.hash())) {
                throw new ParameterException(
                        spec.commandLine(),
                        "--kept-head: two heads have the number " + head.number());
            }
        }
        return heads;
    }

    private int verify(ExportVerification verification, BoundedLineReader lines)
            throws IOException {
        long number = 1;
        try {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                verification.verify(line);
                number++;
            }
            Report report = verification.finish();
            printReport(report);
            if (report.withheld() > 0 && !allowWithheld) {
                printWithheld(report);
                return EXIT_INVALID;
            }
            return isSignedUntil(report.last()) ? EXIT_VALID : EXIT_OUTDATED;
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
    private void printWithheld(Report report) {
        out.printf(
                "WITHHELD: the export has only the seals of %s events, the first at position %s."
                        + " It does not show who removed their contents. If you expect that, use"
                        + " --allow-withheld%n",
                report.withheld(), report.firstWithheld());
    }

    /** Checks the last head: nothing else reveals an export that was cut off at a head. */
    private boolean isSignedUntil(TreeHead last) {
        if (until == null || last.made().atOffset(ZoneOffset.UTC).toLocalDate().isAfter(until)) {
            return true;
        }
        out.printf("OLD: the last head of the export does not cover all of %s%n", until);
        return false;
    }

    private void printReport(Report report) {
        TreeHead last = report.last();
        out.printf(
                "%s: %s events of %s streams match their seals, up to position %s%n",
                report.installation(), report.events(), report.streams(), last.position());
        if (report.withheld() > 0) {
            out.printf("%s of them are withheld: only their seals are there%n", report.withheld());
        }
        if (report.nameless() > 0) {
            out.printf(
                    "%s of these do not name their stream: the chain of all events was checked, but"
                            + " not the streams%n",
                    report.nameless());
        }
        out.printf(
                "%s heads are signed, the last one at %s%s; keep it outside of the engine:%n"
                        + "--kept-head=%s:%s%n",
                last.number(),
                last.made(),
                last.day() == null ? "" : ", of " + last.day(),
                last.number(),
                last.hash());
    }
}
