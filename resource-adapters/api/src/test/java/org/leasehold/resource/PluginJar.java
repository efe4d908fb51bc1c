package org.leasehold.resource;

import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Builds a plug-in's jar as an author does who has the engine's jars but not its source. */
public final class PluginJar {

    private PluginJar() {}

    /**
     * Compiles the sources and packs them with the resources.
     *
     * @param project a folder with {@code src/main/java} and {@code src/main/resources}
     * @param target an empty folder
     * @return the jar
     */
    public static Path build(Path project, Path target) throws IOException {
        Path classes = Files.createDirectories(target.resolve("classes"));
        compile(files(project.resolve("src/main/java")), classes);
        Path jar = target.resolve("plugin.jar");
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(file)) {
            pack(classes, entries);
            pack(project.resolve("src/main/resources"), entries);
        }
        return jar;
    }

    private static void compile(List<Path> sources, Path classes) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter complaints = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            boolean compiled =
                    compiler.getTask(
                                    complaints,
                                    files,
                                    null,
                                    List.of(
                                            "--class-path",
                                            System.getProperty("java.class.path"),
                                            "-proc:none",
                                            "-d",
                                            classes.toString()),
                                    null,
                                    files.getJavaFileObjectsFromPaths(sources))
                            .call();
            if (!compiled) {
                throw new IllegalStateException("The plugin does not compile:\n" + complaints);
            }
        }
    }

    private static void pack(Path folder, JarOutputStream entries) throws IOException {
        for (Path file : files(folder)) {
            String name = folder.relativize(file).toString().replace('\\', '/');
            entries.putNextEntry(new JarEntry(name));
            Files.copy(file, entries);
            entries.closeEntry();
        }
    }

    private static List<Path> files(Path folder) {
        try (Stream<Path> found = Files.walk(folder)) {
            return found.filter(Files::isRegularFile).sorted().toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
