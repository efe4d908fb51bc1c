package org.leasehold.runtime.plugin;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.ResourcePluginProvider;
import org.leasehold.runtime.setting.InvalidSettingException;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Stream;

/**
 * The folder with the jars of an operator's plug-ins. The engine runs what is in it, so only the
 * engine's account and root may be able to write there.
 */
public final class PluginFolder {

    public static final String SETTING = "leasehold.plugins.folder";

    private static final String SERVICES =
            "META-INF/services/" + ResourcePluginProvider.class.getName();

    private final Map<String, Path> providers = new HashMap<>();

    private PluginFolder() {}

    /**
     * Returns a class loader of all jars in the folder. It stays open for the life of the process,
     * because plug-ins load classes until the end.
     *
     * @param engine the loader of the engine's classes, which the jars share
     * @throws InvalidSettingException if the folder or a jar cannot be used; names it
     */
    public static ClassLoader loader(Path folder, ClassLoader engine) {
        return new PluginFolder().load(folder, engine);
    }

    private ClassLoader load(Path folder, ClassLoader engine) {
        List<Path> jars;
        try {
            if (!Files.isDirectory(folder)) {
                throw problem("there is no folder " + folder.toAbsolutePath());
            }
            Path resolved = folder.toRealPath();
            check(FileWriters.findForeign(resolved));
            jars = jars(resolved);
            for (Path jar : jars) {
                check(FileWriters.findForeign(jar));
            }
        } catch (IOException e) {
            throw new InvalidSettingException(SETTING + ": cannot read " + folder + ": " + e, e);
        }
        jars.forEach(this::addProviders);
        ClassLoader loader = new URLClassLoader("plug-ins", urls(jars), engine);
        providers.forEach((name, jar) -> checkProvider(name, jar, loader));
        return loader;
    }

    private static void check(@Nullable String foreignWriter) {
        if (foreignWriter != null) {
            throw problem(foreignWriter);
        }
    }

    /**
     * Returns the jars without links. A link could lead elsewhere after the check, so only these
     * paths are checked and opened.
     */
    private static List<Path> jars(Path folder) throws IOException {
        List<Path> found;
        try (Stream<Path> files = Files.list(folder)) {
            found = files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
        }
        Set<Path> jars = new LinkedHashSet<>();
        for (Path each : found) {
            jars.add(each.toRealPath());
        }
        return List.copyOf(jars);
    }

    /** Adds the providers that a jar names. A jar without any is a library of another one. */
    private void addProviders(Path path) {
        for (String name : providerNames(path)) {
            @Nullable Path other = providers.put(name, path);
            if (other != null && !other.equals(path)) {
                throw problem(
                        "%s and %s both have %s: remove one of them"
                                .formatted(other.getFileName(), path.getFileName(), name));
            }
        }
    }

    private static List<String> providerNames(Path path) {
        try (JarFile jar = new JarFile(path.toFile())) {
            checkManifest(jar.getManifest(), path);
            @Nullable JarEntry services = jar.getJarEntry(SERVICES);
            if (services == null) {
                return List.of();
            }
            String text =
                    new String(jar.getInputStream(services).readAllBytes(), StandardCharsets.UTF_8);
            return text.lines()
                    .map(line -> line.replaceFirst("#.*", "").strip())
                    .filter(name -> !name.isEmpty())
                    .toList();
        } catch (IOException e) {
            throw new InvalidSettingException(
                    "%s: %s is not a jar: %s".formatted(SETTING, path, e.getMessage()), e);
        }
    }

    /** Refuses a class path of the jar's own: nobody would check the files that it names. */
    private static void checkManifest(@Nullable Manifest manifest, Path path) {
        if (manifest != null
                && manifest.getMainAttributes().containsKey(Attributes.Name.CLASS_PATH)) {
            throw problem(
                    path.getFileName()
                            + " has a Class-Path in its manifest: remove it, and put the jars"
                            + " that it needs into the folder");
        }
    }

    private static void checkProvider(String name, Path jar, ClassLoader loader) {
        Class<?> type;
        try {
            type = Class.forName(name, false, loader).getConstructor().getDeclaringClass();
        } catch (NoSuchMethodException e) {
            throw new InvalidSettingException(
                    "%s: %s: the class %s has no public constructor without parameters"
                            .formatted(SETTING, jar.getFileName(), name),
                    e);
        } catch (ClassNotFoundException e) {
            throw new InvalidSettingException(
                    "%s: %s names the provider %s, but lacks this class"
                            .formatted(SETTING, jar.getFileName(), name),
                    e);
        } catch (LinkageError e) {
            throw new InvalidSettingException(
                    "%s: %s does not fit this version of the engine: %s"
                            .formatted(SETTING, jar.getFileName(), e),
                    e);
        }
        if (!ResourcePluginProvider.class.isAssignableFrom(type)) {
            throw problem(
                    "%s: the class %s does not implement %s"
                            .formatted(
                                    jar.getFileName(),
                                    name,
                                    ResourcePluginProvider.class.getName()));
        }
    }

    private static URL[] urls(List<Path> jars) {
        List<URL> urls = new ArrayList<>();
        for (Path jar : jars) {
            try {
                urls.add(jar.toUri().toURL());
            } catch (MalformedURLException e) {
                throw new InvalidSettingException(SETTING + ": " + jar, e);
            }
        }
        return urls.toArray(URL[]::new);
    }

    private static InvalidSettingException problem(String sentence) {
        return new InvalidSettingException(SETTING + ": " + sentence);
    }
}
