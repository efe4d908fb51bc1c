package org.leasehold.runtime;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import static org.leasehold.runtime.ProductPackages.COMMAND_API;
import static org.leasehold.runtime.ProductPackages.JDK;
import static org.leasehold.runtime.ProductPackages.JSPECIFY;
import static org.leasehold.runtime.ProductPackages.PLUGIN_API;
import static org.leasehold.runtime.ProductPackages.QUERY_API;
import static org.leasehold.runtime.ProductPackages.WIRE;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The only dependencies of the APIs, the documents and the offline verifiers. */
@AnalyzeClasses(
        packages = "org.leasehold",
        importOptions = {DoNotIncludeTests.class, NoTestJars.class})
class AllowedDependenciesTest {

    @ArchTest
    static final ArchRule the_command_api_depends_only_on_the_jdk =
            classes()
                    .that()
                    .resideInAnyPackage(COMMAND_API)
                    .should()
                    .onlyDependOnClassesThat(
                            resideInAnyPackage(COMMAND_API).or(resideInAnyPackage(JDK, JSPECIFY)));

    @ArchTest
    static final ArchRule the_query_api_depends_only_on_the_command_api_and_the_jdk =
            classes()
                    .that()
                    .resideInAPackage(QUERY_API)
                    .should()
                    .onlyDependOnClassesThat(
                            resideInAnyPackage(COMMAND_API)
                                    .or(resideInAnyPackage(QUERY_API, JDK, JSPECIFY)));

    @ArchTest
    static final ArchRule the_plugin_api_depends_only_on_the_command_api_jdk_json_and_yaml =
            classes()
                    .that()
                    .resideInAnyPackage(PLUGIN_API)
                    .should()
                    .onlyDependOnClassesThat(
                            resideInAnyPackage(COMMAND_API)
                                    .or(resideInAnyPackage(PLUGIN_API))
                                    .or(
                                            resideInAnyPackage(
                                                    JDK,
                                                    JSPECIFY,
                                                    "tools.jackson..",
                                                    "org.yaml.snakeyaml..")));

    @ArchTest
    static final ArchRule the_documents_depend_only_on_the_apis_the_jdk_and_json =
            classes()
                    .that()
                    .resideInAPackage(WIRE)
                    .should()
                    .onlyDependOnClassesThat(
                            resideInAnyPackage(COMMAND_API)
                                    .or(resideInAnyPackage(PLUGIN_API))
                                    .or(
                                            resideInAnyPackage(
                                                    QUERY_API,
                                                    WIRE,
                                                    JDK,
                                                    JSPECIFY,
                                                    "com.fasterxml.jackson.annotation..",
                                                    "tools.jackson..")));

    /** An offline verifier of the seals includes this package, and no other. */
    @ArchTest
    static final ArchRule the_seal_package_depends_only_on_the_jdk_and_a_json_parser =
            classes()
                    .that()
                    .resideInAPackage("org.leasehold.seal..")
                    .should()
                    .onlyDependOnClassesThat(
                            resideInAnyPackage(
                                    "org.leasehold.seal..", JDK, JSPECIFY, "tools.jackson.core.."));

    @ArchTest
    static final ArchRule the_export_verifier_depends_only_on_the_seal_package_and_picocli =
            classes()
                    .that()
                    .resideInAPackage("org.leasehold.verifier..")
                    .should()
                    .onlyDependOnClassesThat(
                            resideInAnyPackage(
                                    "org.leasehold.verifier..",
                                    "org.leasehold.seal..",
                                    JDK,
                                    JSPECIFY,
                                    "picocli.."));

    @ArchTest
    static final ArchRule the_topic_verifier_depends_only_on_kafka_a_json_parser_and_picocli =
            classes()
                    .that()
                    .resideInAPackage("org.leasehold.topic..")
                    .should()
                    .onlyDependOnClassesThat(
                            resideInAnyPackage(
                                    "org.leasehold.topic..",
                                    JDK,
                                    JSPECIFY,
                                    "org.apache.kafka..",
                                    "picocli..",
                                    "tools.jackson.core.."));
}
