import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;

/**
 * Checks or applies google-java-format (AOSP) on every Java source below the working directory.
 *
 * <p>A formatter parses with the compiler of the JVM that it runs in, and Maven may run on a JVM
 * that cannot parse Java 25, so no formatter inside Maven will do: the root pom runs this file on
 * the JDK 25 that the build selected.
 */
class Format {
    private static final List<String> SKIPPED = List.of("target", "node_modules", "data", ".git");

    public static void main(String[] args) throws IOException {
        var apply = List.of(args).contains("apply");
        var arguments = new ArrayList<String>(List.of("--aosp"));
        arguments.addAll(
                apply ? List.of("--replace") : List.of("--dry-run", "--set-exit-if-changed"));
        arguments.addAll(sources());
        var formatter = ToolProvider.findFirst("google-java-format").orElseThrow();
        if (formatter.run(System.out, System.err, arguments.toArray(String[]::new)) != 0) {
            System.err.println(
                    "The files above are not formatted. Run: mvn -N verify -Dformat=apply");
            System.exit(1);
        }
    }

    private static List<String> sources() throws IOException {
        var sources = new ArrayList<String>();
        Files.walkFileTree(
                Path.of(""),
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(
                            Path folder, BasicFileAttributes attributes) {
                        var name = String.valueOf(folder.getFileName());
                        return SKIPPED.contains(name)
                                ? FileVisitResult.SKIP_SUBTREE
                                : FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                        if (file.toString().endsWith(".java")) {
                            sources.add(file.toString());
                        }
                        return FileVisitResult.CONTINUE;
                    }
                });
        return sources;
    }
}
