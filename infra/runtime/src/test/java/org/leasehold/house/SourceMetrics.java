package org.leasehold.house;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * The sizes and names in the Java sources of all modules, as the compiler's parser sees them.
 *
 * @param files main files, in no particular order
 * @param types top-level types only
 * @param methods methods with a body, including constructors; a record's compact constructor has no
 *     parameters of its own
 * @param names declared names of types, methods, fields and parameters, in main sources and tests
 */
record SourceMetrics(
        List<Sized> files, List<Declared> types, List<Method> methods, List<Declared> names) {

    private static final Path SOURCES = Path.of("src", "main", "java");

    /** A main file and its lines. */
    record Sized(String file, long lines) {}

    /** A name, and the file that declares it; in the root of a checkout. */
    record Declared(String name, String file) {}

    /** A method of a main file. */
    record Method(String name, String file, long lines, int parameters) {}

    /** Reads all sources below the root of a checkout. */
    static SourceMetrics of(Path root) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        SourceMetrics survey =
                new SourceMetrics(
                        new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        try (StandardJavaFileManager manager =
                compiler.getStandardFileManager(null, Locale.ROOT, null)) {
            JavacTask task =
                    (JavacTask)
                            compiler.getTask(
                                    null,
                                    manager,
                                    null,
                                    List.of("-proc:none"),
                                    null,
                                    manager.getJavaFileObjectsFromPaths(sources(root)));
            SourcePositions positions = Trees.instance(task).getSourcePositions();
            for (CompilationUnitTree unit : task.parse()) {
                Path file = root.toAbsolutePath().relativize(Path.of(unit.getSourceFile().toUri()));
                survey.new Reader(unit, positions, file).scan(unit, null);
            }
        }
        return survey;
    }

    private static List<Path> sources(Path root) throws IOException {
        List<Path> sources = new ArrayList<>();
        Files.walkFileTree(
                root.toAbsolutePath(),
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(
                            Path folder, BasicFileAttributes attributes) {
                        String name = folder.getFileName().toString();
                        boolean isSkipped =
                                (!folder.equals(root.toAbsolutePath()) && name.startsWith("."))
                                        || name.equals("target");
                        return isSkipped ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                        if (file.toString().endsWith(".java")) {
                            sources.add(file);
                        }
                        return FileVisitResult.CONTINUE;
                    }
                });
        return sources;
    }

    private static boolean isMain(Path file) {
        return file.toString().contains(SOURCES.toString());
    }

    private final class Reader extends TreePathScanner<Void, Void> {

        private final CompilationUnitTree unit;
        private final SourcePositions positions;
        private final LineMap lines;
        private final Path file;

        Reader(CompilationUnitTree unit, SourcePositions positions, Path file) {
            this.unit = unit;
            this.positions = positions;
            this.lines = unit.getLineMap();
            this.file = file;
        }

        @Override
        public @Nullable Void visitCompilationUnit(CompilationUnitTree tree, Void nothing) {
            if (isMain(file)) {
                files.add(new Sized(file.toString(), lines.getLineNumber(end(tree))));
            }
            return super.visitCompilationUnit(tree, null);
        }

        @Override
        public @Nullable Void visitClass(ClassTree tree, Void nothing) {
            declare(tree.getSimpleName().toString());
            boolean isTopLevel =
                    getCurrentPath().getParentPath().getLeaf() instanceof CompilationUnitTree;
            if (isTopLevel && isMain(file)) {
                types.add(new Declared(tree.getSimpleName().toString(), file.toString()));
            }
            return super.visitClass(tree, null);
        }

        @Override
        public @Nullable Void visitMethod(MethodTree tree, Void nothing) {
            String name = tree.getName().toString();
            declare(name);
            if (isMain(file) && tree.getBody() != null) {
                long length =
                        lines.getLineNumber(end(tree.getBody()))
                                - lines.getLineNumber(
                                        positions.getStartPosition(unit, tree.getBody()))
                                + 1;
                int parameters = isCompactConstructor(tree) ? 0 : tree.getParameters().size();
                methods.add(new Method(name, file.toString(), length, parameters));
            }
            return super.visitMethod(tree, null);
        }

        /**
         * Returns whether a method is a compact constructor. The parser gives it the components of
         * the record as parameters, whose positions are in the header, before the constructor. They
         * do not count: a record without a constructor has the same components, and callers read
         * them by name.
         */
        private boolean isCompactConstructor(MethodTree tree) {
            return !tree.getParameters().isEmpty()
                    && positions.getStartPosition(unit, tree.getParameters().getFirst())
                            < positions.getStartPosition(unit, tree);
        }

        @Override
        public @Nullable Void visitVariable(VariableTree tree, Void nothing) {
            declare(tree.getName().toString());
            return super.visitVariable(tree, null);
        }

        private void declare(String name) {
            if (!name.isEmpty()) {
                names.add(new Declared(name, file.toString()));
            }
        }

        private long end(Tree tree) {
            return positions.getEndPosition(unit, tree);
        }
    }
}
