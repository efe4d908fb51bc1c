package org.leasehold.runtime;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import static org.leasehold.runtime.ProductPackages.COMMAND_CORE;
import static org.leasehold.runtime.ProductPackages.DEMO;
import static org.leasehold.runtime.ProductPackages.GATEWAY;
import static org.leasehold.runtime.ProductPackages.INVARIANTS;
import static org.leasehold.runtime.ProductPackages.OPENSTACK;
import static org.leasehold.runtime.ProductPackages.PUBLISHING;
import static org.leasehold.runtime.ProductPackages.QUERY_API;
import static org.leasehold.runtime.ProductPackages.QUERY_CORE;
import static org.leasehold.runtime.ProductPackages.RUNTIME;
import static org.leasehold.runtime.ProductPackages.SAGA;
import static org.leasehold.runtime.ProductPackages.SIMULATION;
import static org.leasehold.runtime.ProductPackages.SIMULATOR;
import static org.leasehold.runtime.ProductPackages.WIRE;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;

/** Rules of the architecture that the build's modules alone do not enforce. */
@AnalyzeClasses(
        packages = "org.leasehold",
        importOptions = {DoNotIncludeTests.class, NoTestJars.class})
class ArchitectureTest {

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

    private static ArchRule knowsNone(String one, String... others) {
        return noClasses()
                .that()
                .resideInAPackage(one)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(others);
    }

    @ArchTest
    static final ArchRule only_the_runtime_depends_on_the_openstack_adapter =
            noClasses()
                    .that()
                    .resideOutsideOfPackages(OPENSTACK, RUNTIME)
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage(OPENSTACK);

    @ArchTest
    static final ArchRule only_the_runtime_depends_on_the_publications =
            noClasses()
                    .that()
                    .resideOutsideOfPackages(PUBLISHING, RUNTIME)
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage(PUBLISHING);

    @ArchTest
    static final ArchRule only_the_gateway_and_the_publications_depend_on_the_documents =
            noClasses()
                    .that()
                    .resideOutsideOfPackages(WIRE, GATEWAY, PUBLISHING)
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage(WIRE);

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
    static final ArchRule only_the_openstack_adapter_uses_openstack4j =
            noClasses()
                    .that()
                    .resideOutsideOfPackage(OPENSTACK)
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage("org.openstack4j..");

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
}
