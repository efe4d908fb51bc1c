package org.leasehold.runtime;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleNameEndingWith;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;

import org.springframework.context.annotation.Configuration;
import org.springframework.stereotype.Component;
import org.springframework.stereotype.Controller;
import org.springframework.util.AntPathMatcher;
import org.springframework.web.bind.annotation.ControllerAdvice;

import java.time.Clock;
import java.time.Instant;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** Rules of the architecture that the build's modules alone do not enforce. */
@AnalyzeClasses(
        packages = "org.leasehold",
        importOptions = {DoNotIncludeTests.class, ArchitectureTest.NoTestJars.class})
class ArchitectureTest {

    private static final String[] COMMAND_API = {
        "org.leasehold.vocabulary",
        "org.leasehold.lease..",
        "org.leasehold.inventory..",
        "org.leasehold.calendar..",
        "org.leasehold.history..",
        "org.leasehold.whatif..",
        "org.leasehold.command"
    };
    private static final String[] PLUGIN_API = {
        "org.leasehold.resource",
        "org.leasehold.resource.floatingip",
        "org.leasehold.resource.host",
        "org.leasehold.resource.identity",
        "org.leasehold.resource.instance",
        "org.leasehold.resource.network",
        "org.leasehold.resource.parameter",
        "org.leasehold.resource.requirement",
        "org.leasehold.resource.server",
        "org.leasehold.resource.stack",
        "org.leasehold.resource.volume"
    };
    private static final String QUERY_API = "org.leasehold.readmodel..";

    private static final String COMMAND_CORE = "org.leasehold.command.*..";
    private static final String QUERY_CORE = "org.leasehold.query.*..";
    private static final String SAGA = "org.leasehold.saga..";
    private static final String GATEWAY = "org.leasehold.gateway..";

    private static final String WIRE = "org.leasehold.wire..";

    /** The assembling packages: the product, its simulation, and its demo. */
    private static final String RUNTIME = "org.leasehold.runtime..";

    private static final String SIMULATION = "org.leasehold.simulation..";

    private static final String DEMO = "org.leasehold.demo..";

    private static final String INVARIANTS = "org.leasehold.invariants..";

    private static final String SIMULATOR = "org.leasehold.resource.simulator..";

    private static final String PUBLISHING = "org.leasehold.publishing..";

    private static final String OPENSTACK = "org.leasehold.resource.openstack..";

    private static final String JDK = "java..";
    private static final String JSPECIFY = "org.jspecify..";

    private static final Set<String> SHORT_NAMES =
            Set.of("getSimpleName", "getCanonicalName", "getTypeName");

    /** The classes that decide, with their inputs. */
    private static final DescribedPredicate<JavaClass> DECIDING =
            resideInAPackage("org.leasehold.command.lease")
                    .and(not(simpleNameEndingWith("Aggregate")))
                    .and(not(simpleNameEndingWith("Configuration")))
                    .and(not(simpleNameEndingWith("Settings")))
                    .or(
                            resideInAPackage("org.leasehold.command.inventory")
                                    .and(
                                            DescribedPredicate.describe(
                                                    "decide",
                                                    type ->
                                                            type.getName()
                                                                    .matches(
                                                                            ".*\\.(Resource|ResourceConstraints"
                                                                                + "|ResourceDeci.*)"))))
                    .as("classes that decide");

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

    @ArchTest
    static final ArchRule only_the_gateway_and_the_publications_depend_on_the_documents =
            noClasses()
                    .that()
                    .resideOutsideOfPackages(WIRE, GATEWAY, PUBLISHING)
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage(WIRE);

    @ArchTest
    static final ArchRule the_write_side_depends_on_no_other_core =
            knowsNone(
                    COMMAND_CORE, QUERY_CORE, SAGA, GATEWAY, RUNTIME, SIMULATION, DEMO, SIMULATOR);

    @ArchTest
    static final ArchRule the_read_side_depends_on_no_other_core =
            knowsNone(
                    QUERY_CORE, COMMAND_CORE, SAGA, GATEWAY, RUNTIME, SIMULATION, DEMO, SIMULATOR);

    @ArchTest
    static final ArchRule the_sagas_depend_on_no_other_core =
            knowsNone(
                    SAGA, COMMAND_CORE, QUERY_CORE, GATEWAY, RUNTIME, SIMULATION, DEMO, SIMULATOR);

    @ArchTest
    static final ArchRule the_gateway_depends_on_no_core =
            knowsNone(
                    GATEWAY, COMMAND_CORE, QUERY_CORE, SAGA, RUNTIME, SIMULATION, DEMO, SIMULATOR);

    @ArchTest
    static final ArchRule the_simulated_cloud_does_not_depend_on_the_engine =
            knowsNone(
                    SIMULATOR,
                    COMMAND_CORE,
                    QUERY_CORE,
                    SAGA,
                    GATEWAY,
                    RUNTIME,
                    SIMULATION,
                    DEMO,
                    QUERY_API);

    @ArchTest
    static final ArchRule the_openstack_adapter_does_not_depend_on_the_engine =
            knowsNone(
                    OPENSTACK,
                    COMMAND_CORE,
                    QUERY_CORE,
                    SAGA,
                    GATEWAY,
                    RUNTIME,
                    SIMULATION,
                    DEMO,
                    SIMULATOR,
                    QUERY_API);

    @ArchTest
    static final ArchRule only_the_runtime_depends_on_the_openstack_adapter =
            noClasses()
                    .that()
                    .resideOutsideOfPackages(OPENSTACK, RUNTIME)
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage(OPENSTACK);

    @ArchTest
    static final ArchRule the_publications_depend_on_no_core =
            knowsNone(
                    PUBLISHING,
                    COMMAND_CORE,
                    QUERY_CORE,
                    SAGA,
                    GATEWAY,
                    RUNTIME,
                    SIMULATION,
                    DEMO,
                    SIMULATOR);

    @ArchTest
    static final ArchRule only_the_runtime_depends_on_the_publications =
            noClasses()
                    .that()
                    .resideOutsideOfPackages(PUBLISHING, RUNTIME)
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage(PUBLISHING);

    @ArchTest
    static final ArchRule only_kafka_publications_and_the_topic_verifier_use_kafka =
            noClasses()
                    .that()
                    .resideOutsideOfPackages(
                            "org.leasehold.publishing.kafka", "org.leasehold.topic..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage("org.apache.kafka..");

    @ArchTest
    static final ArchRule only_notifications_and_the_compute_adapter_use_rabbitmq =
            noClasses()
                    .that()
                    .resideOutsideOfPackages(
                            "org.leasehold.publishing.notification",
                            "org.leasehold.resource.openstack.compute")
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage("com.rabbitmq..");

    @ArchTest
    static final ArchRule the_invariant_checks_depend_on_no_core =
            knowsNone(
                    INVARIANTS,
                    COMMAND_CORE,
                    QUERY_CORE,
                    SAGA,
                    GATEWAY,
                    RUNTIME,
                    SIMULATION,
                    DEMO,
                    SIMULATOR);

    @ArchTest
    static final ArchRule deciders_depend_only_on_plain_java =
            classes()
                    .that(DECIDING)
                    .should()
                    .onlyDependOnClassesThat(
                            resideInAnyPackage("org.leasehold..")
                                    .or(
                                            resideInAnyPackage(JDK, JSPECIFY)
                                                    .and(
                                                            not(
                                                                    resideInAnyPackage(
                                                                            "java.sql..",
                                                                            "java.io..",
                                                                            "java.net..",
                                                                            "java.nio..")))));

    @ArchTest
    static final ArchRule deciders_use_neither_a_clock_nor_random_numbers =
            noClasses()
                    .that(DECIDING)
                    .should()
                    .dependOnClassesThat()
                    .belongToAnyOf(Clock.class, Random.class, ThreadLocalRandom.class)
                    .orShould()
                    .callMethod(Instant.class, "now")
                    .orShould()
                    .callMethod(UUID.class, "randomUUID");

    @ArchTest
    static final ArchRule the_cores_do_not_call_instant_now =
            noClasses()
                    .that()
                    .resideInAnyPackage(COMMAND_CORE, QUERY_CORE, SAGA)
                    .should()
                    .callMethod(Instant.class, "now");

    /**
     * A stored or published name comes from a catalog, so that a renamed class does not change it.
     */
    @ArchTest
    static final ArchRule no_class_reads_the_short_name_of_a_class =
            noClasses()
                    .should()
                    .accessTargetWhere(
                            DescribedPredicate.describe(
                                    "is the short name of a class",
                                    ArchitectureTest::isShortNameOfClass));

    private static boolean isShortNameOfClass(JavaAccess<?> access) {
        return access.getTargetOwner().isEquivalentTo(Class.class)
                && SHORT_NAMES.contains(access.getName());
    }

    @ArchTest
    static final ArchRule only_the_openstack_adapter_uses_openstack4j =
            noClasses()
                    .that()
                    .resideOutsideOfPackage(OPENSTACK)
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage("org.openstack4j..");

    @ArchTest
    static final ArchRule no_class_has_a_generic_name_such_as_util_or_manager =
            noClasses()
                    .should()
                    .haveSimpleNameEndingWith("Util")
                    .orShould()
                    .haveSimpleNameEndingWith("Utils")
                    .orShould()
                    .haveSimpleNameEndingWith("Helper")
                    .orShould()
                    .haveSimpleNameEndingWith("Manager")
                    .orShould()
                    .haveSimpleNameEndingWith("Impl")
                    .orShould()
                    .haveSimpleNameStartingWith("Base");

    @ArchTest
    static final ArchRule components_are_configurations_endpoints_controllers_or_advices =
            classes()
                    .that()
                    .areMetaAnnotatedWith(Component.class)
                    .and()
                    .areNotMetaAnnotatedWith(Configuration.class)
                    .and()
                    .doNotHaveSimpleName("Leasehold")
                    .should()
                    .haveSimpleNameEndingWith("Endpoints")
                    .orShould()
                    .beMetaAnnotatedWith(ControllerAdvice.class)
                    .orShould()
                    .beMetaAnnotatedWith(Controller.class);

    @ArchTest
    static final ArchRule every_component_matches_the_scan_pattern =
            classes()
                    .that()
                    .areMetaAnnotatedWith(Component.class)
                    .and()
                    .doNotHaveSimpleName("Leasehold")
                    .should(
                            ArchCondition.from(
                                    DescribedPredicate.describe(
                                            "be in a file that a start reads",
                                            ArchitectureTest::isRead)));

    private static boolean isRead(JavaClass component) {
        String file = component.getName().replace('.', '/') + ".class";
        return new AntPathMatcher().match(Leasehold.COMPONENTS, file);
    }

    @ArchTest
    static final ArchRule a_configuration_is_package_private_and_named_configuration =
            classes()
                    .that()
                    .areAnnotatedWith(Configuration.class)
                    .should()
                    .haveSimpleNameEndingWith("Configuration")
                    .andShould()
                    .bePackagePrivate();

    @ArchTest
    static final ArchRule packages_are_free_of_cycles =
            slices().assignedFrom(new Packages()).should().beFreeOfCycles();

    /** Each package as a slice. */
    private static final class Packages implements SliceAssignment {

        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            return SliceIdentifier.of(type.getPackageName());
        }

        @Override
        public String getDescription() {
            return "packages";
        }
    }

    private static ArchRule knowsNone(String one, String... others) {
        return noClasses()
                .that()
                .resideInAPackage(one)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(others);
    }

    /** Excludes the contract suites, which are tests in separate jars. */
    static final class NoTestJars implements ImportOption {
        @Override
        public boolean includes(Location location) {
            return !location.contains("-tests.jar");
        }
    }
}
