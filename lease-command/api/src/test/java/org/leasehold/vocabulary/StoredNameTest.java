package org.leasehold.vocabulary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

class StoredNameTest {

    sealed interface Shape {}

    @StoredName("Ring")
    record Circle() implements Shape {}

    sealed interface Angular extends Shape {}

    @StoredName("Square")
    record Square() implements Angular {}

    sealed interface Incomplete {}

    record Nameless() implements Incomplete {}

    sealed interface Ambiguous {}

    @StoredName("Same")
    record First() implements Ambiguous {}

    @StoredName("Same")
    record Second() implements Ambiguous {}

    @Test
    void a_renamed_class_keeps_the_stored_name() {
        assertThat(StoredNames.of(Circle.class)).isEqualTo("Ring");
    }

    @Test
    void nested_sealed_types_contribute_their_members() {
        assertThat(StoredNames.ofMembers(Shape.class).values()).containsExactly("Ring", "Square");
    }

    @Test
    void a_member_without_a_name_is_an_error() {
        assertThatIllegalStateException()
                .isThrownBy(() -> StoredNames.ofMembers(Incomplete.class))
                .withMessageContaining("Nameless has no stored name");
    }

    @Test
    void two_members_with_the_same_name_are_an_error() {
        assertThatIllegalStateException()
                .isThrownBy(() -> StoredNames.ofMembers(Ambiguous.class))
                .withMessageEndingWith("have the same stored name: Same");
    }
}
