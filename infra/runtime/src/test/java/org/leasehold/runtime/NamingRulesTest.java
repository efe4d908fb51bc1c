package org.leasehold.runtime;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;

import org.springframework.context.annotation.Configuration;
import org.springframework.stereotype.Component;
import org.springframework.stereotype.Controller;
import org.springframework.util.AntPathMatcher;
import org.springframework.web.bind.annotation.ControllerAdvice;

import java.util.Set;

/** Rules about the names of classes, of components, and of what is stored or published. */
@AnalyzeClasses(
        packages = "org.leasehold",
        importOptions = {DoNotIncludeTests.class, NoTestJars.class})
class NamingRulesTest {

    private static final Set<String> SHORT_NAMES =
            Set.of("getSimpleName", "getCanonicalName", "getTypeName");

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
                                    NamingRulesTest::isShortNameOfClass));

    private static boolean isShortNameOfClass(JavaAccess<?> access) {
        return access.getTargetOwner().isEquivalentTo(Class.class)
                && SHORT_NAMES.contains(access.getName());
    }

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
                                            NamingRulesTest::isRead)));

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
}
