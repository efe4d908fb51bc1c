package org.leasehold.runtime;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleNameEndingWith;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import static org.leasehold.runtime.ProductPackages.COMMAND_CORE;
import static org.leasehold.runtime.ProductPackages.JDK;
import static org.leasehold.runtime.ProductPackages.JSPECIFY;
import static org.leasehold.runtime.ProductPackages.QUERY_CORE;
import static org.leasehold.runtime.ProductPackages.SAGA;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import java.time.Clock;
import java.time.Instant;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** Rules that keep decisions pure: the same inputs give the same events. */
@AnalyzeClasses(
        packages = "org.leasehold",
        importOptions = {DoNotIncludeTests.class, NoTestJars.class})
class DeciderRulesTest {

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
}
