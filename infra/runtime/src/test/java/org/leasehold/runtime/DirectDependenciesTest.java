package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.stream.Collectors.toMap;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import javax.xml.parsers.DocumentBuilderFactory;

/** Tests that the page of direct dependencies matches the poms and the permitted licences. */
class DirectDependenciesTest {

    private static final Path ROOT = Path.of("..", "..");
    private static final Path PAGE = Path.of("..", "docs", "dependencies.md");

    private static final Pattern ROW =
            Pattern.compile(
                    "^\\| `([^`:]+:[^`]+)` \\| [^|]+ \\| (\\w+) \\| ([^|]+) \\| [^|]+ \\| [^|]+"
                            + " \\|$",
                    Pattern.MULTILINE);

    /** Licences that permit shipping the product; LGPL only for a replaceable driver. */
    private static final Set<String> PERMITTED =
            Set.of(
                    "0BSD",
                    "Apache-2.0",
                    "BSD-2-Clause",
                    "BSD-3-Clause",
                    "LGPL-2.1-or-later",
                    "MIT");

    private static Map<String, Row> page;
    private static Map<String, Set<Use>> named;

    private record Row(Use where, String licence) {}

    /** The use of a library by a module; the first of several counts. */
    private enum Use {
        PRODUCT,
        BENCHMARKS,
        COMPILER,
        TESTS;

        static Use of(String module, String scope) {
            return switch (scope) {
                case "test" -> TESTS;
                case "provided" -> module.startsWith("infra/proof/bench") ? BENCHMARKS : COMPILER;
                default -> module.startsWith("infra/proof/bench") ? BENCHMARKS : PRODUCT;
            };
        }
    }

    @BeforeAll
    static void read() throws Exception {
        page =
                ROW.matcher(Files.readString(PAGE))
                        .results()
                        .collect(
                                toMap(
                                        row -> row.group(1),
                                        row ->
                                                new Row(
                                                        Use.valueOf(
                                                                row.group(2)
                                                                        .toUpperCase(Locale.ROOT)),
                                                        row.group(3))));
        named = new TreeMap<>();
        for (Node module : children(parse("pom.xml").getDocumentElement(), "modules", "module")) {
            String name = module.getTextContent();
            Document pom = parse(name + "/pom.xml");
            children(pom.getDocumentElement(), "dependencies", "dependency")
                    .forEach(dependency -> add(name, (Element) dependency));
        }
    }

    private static void add(String module, Element dependency) {
        String group = text(dependency, "groupId");
        if (!group.equals("org.leasehold")) {
            named.computeIfAbsent(
                            group + ":" + text(dependency, "artifactId"),
                            library -> EnumSet.noneOf(Use.class))
                    .add(Use.of(module, text(dependency, "scope")));
        }
    }

    private static Document parse(String pom) throws Exception {
        var parser = DocumentBuilderFactory.newDefaultInstance().newDocumentBuilder();
        return parser.parse(ROOT.resolve(pom).toFile());
    }

    private static List<Node> children(Element parent, String list, String name) {
        return elements(parent, list).flatMap(each -> elements((Element) each, name)).toList();
    }

    private static Stream<Node> elements(Element parent, String name) {
        var children = parent.getChildNodes();
        return IntStream.range(0, children.getLength())
                .mapToObj(children::item)
                .filter(child -> child.getNodeName().equals(name));
    }

    private static String text(Element parent, String name) {
        return elements(parent, name).map(Node::getTextContent).findFirst().orElse("");
    }

    @Test
    void the_page_lists_each_library_that_a_pom_names_and_no_other() {
        assertThat(named).isNotEmpty();
        assertThat(page.keySet()).containsExactlyInAnyOrderElementsOf(named.keySet());
    }

    @Test
    void the_page_shows_the_use_of_each_library() {
        assertThat(page)
                .allSatisfy(
                        (library, row) ->
                                assertThat(named.getOrDefault(library, Set.of()))
                                        .as(library)
                                        .startsWith(row.where()));
    }

    @Test
    void libraries_of_the_product_have_permitted_licences() {
        assertThat(page.values())
                .filteredOn(row -> row.where() == Use.PRODUCT)
                .isNotEmpty()
                .allSatisfy(row -> assertThat(PERMITTED).contains(row.licence()));
    }
}
