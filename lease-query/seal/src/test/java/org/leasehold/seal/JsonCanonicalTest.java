package org.leasehold.seal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.math.BigDecimal;
import java.util.SplittableRandom;

class JsonCanonicalTest {

    /** Appendix B of RFC 8785. */
    @ParameterizedTest
    @CsvSource({
        "0000000000000000, 0",
        "8000000000000000, 0",
        "0000000000000001, 5e-324",
        "8000000000000001, -5e-324",
        "7fefffffffffffff, 1.7976931348623157e+308",
        "ffefffffffffffff, -1.7976931348623157e+308",
        "4340000000000000, 9007199254740992",
        "c340000000000000, -9007199254740992",
        "4430000000000000, 295147905179352830000",
        "44b52d02c7e14af5, 9.999999999999997e+22",
        "44b52d02c7e14af6, 1e+23",
        "44b52d02c7e14af7, 1.0000000000000001e+23",
        "444b1ae4d6e2ef4e, 999999999999999700000",
        "444b1ae4d6e2ef4f, 999999999999999900000",
        "444b1ae4d6e2ef50, 1e+21",
        "3eb0c6f7a0b5ed8c, 9.999999999999997e-7",
        "3eb0c6f7a0b5ed8d, 0.000001",
        "41b3de4355555553, 333333333.3333332",
        "41b3de4355555554, 333333333.33333325",
        "41b3de4355555555, 333333333.3333333",
        "41b3de4355555556, 333333333.3333334",
        "41b3de4355555557, 333333333.33333343",
        "becbf647612f3696, -0.0000033333333333333333",
        "43143ff3c1cb0959, 1424953923781206.2"
    })
    void a_number_is_printed_as_in_appendix_b_of_rfc_8785(String bits, String printed) {
        double number = Double.longBitsToDouble(Long.parseUnsignedLong(bits, 16));

        assertThat(JsonCanonical.formatDouble(number)).isEqualTo(printed);
    }

    @ParameterizedTest
    @ValueSource(strings = {"7fffffffffffffff", "7ff0000000000000", "fff0000000000000"})
    void nan_and_infinity_are_rejected(String bits) {
        double number = Double.longBitsToDouble(Long.parseUnsignedLong(bits, 16));

        assertThatIllegalArgumentException().isThrownBy(() -> JsonCanonical.formatDouble(number));
    }

    @Test
    void a_printed_number_is_the_shortest_text_of_the_same_double() {
        SplittableRandom random = new SplittableRandom(8785);
        for (int i = 0; i < 100_000; i++) {
            double number = Double.longBitsToDouble(random.nextLong());
            if (Double.isFinite(number)) {
                String printed = JsonCanonical.formatDouble(number);
                assertThat(Double.parseDouble(printed)).isEqualTo(number);
                BigDecimal digits = new BigDecimal(printed).stripTrailingZeros();
                if (digits.precision() > 1) {
                    BigDecimal shorter =
                            new BigDecimal(number)
                                    .round(new java.math.MathContext(digits.precision() - 1));
                    assertThat(shorter.doubleValue()).isNotEqualTo(number);
                }
            }
        }
    }

    /** Section 3.2.2 of RFC 8785, except for the number that it rounds: see the next test. */
    @Test
    void values_are_written_as_in_section_3_2_2_of_rfc_8785() {
        assertThat(
                        JsonCanonical.of(
                                """
                                {
                                  "numbers": [333333333.3333333, 1E30, 4.50,
                                              2e-3, 0.000000000000000000000000001],
                                  "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
                                  "literals": [null, true, false]
                                }
                                """))
                .isEqualTo(
                        "{\"literals\":[null,true,false],\"numbers\":[333333333.3333333,1e+30,4.5,"
                                + "0.002,1e-27],\"string\":\"€$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}");
    }

    /** The RFC would write 333333333.3333333 and 9007199254740992. */
    @Test
    void a_number_that_would_be_rounded_is_kept_in_full() {
        assertThat(JsonCanonical.of("[333333333.33333329,9007199254740993,0.10,1e400,-0.0]"))
                .isEqualTo(
                        "[{\"$number\":\"333333333.33333329\"},{\"$number\":\"9007199254740993\"},"
                                + "0.1,{\"$number\":\"1E+400\"},0]");
    }

    @Test
    void a_member_named_dollar_number_is_escaped() {
        assertThat(JsonCanonical.of("{\"$number\":\"9007199254740993\"}"))
                .isEqualTo("{\"$$number\":\"9007199254740993\"}");
        assertThat(JsonCanonical.of("{\"$$number\":1,\"$number\":2,\"number\":3}"))
                .isEqualTo("{\"$$$number\":1,\"$$number\":2,\"number\":3}");
    }

    /** Section 3.2.3 of RFC 8785. */
    @Test
    void members_are_sorted_by_utf_16_code_units() {
        assertThat(
                        JsonCanonical.of(
                                """
                                {
                                  "\\u20ac": "Euro Sign",
                                  "\\r": "Carriage Return",
                                  "\\ufb33": "Hebrew Letter Dalet With Dagesh",
                                  "1": "One",
                                  "\\ud83d\\ude00": "Emoji: Grinning Face",
                                  "\\u0080": "Control",
                                  "\\u00f6": "Latin Small Letter O With Diaeresis"
                                }
                                """))
                .isEqualTo(
                        "{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u0080\":\"Control\","
                                + "\"ö\":\"Latin Small Letter O With Diaeresis\","
                                + "\"€\":\"Euro Sign\",\"😀\":\"Emoji: Grinning Face\","
                                + "\"\ufb33\":\"Hebrew Letter Dalet With Dagesh\"}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{\"a\":1,\"a\":2}",
                "\"\\ud800\"",
                "\"\\udc00\\ud800\"",
                "[1] 2",
                "{\"a\":}",
                "[NaN]"
            })
    void json_without_a_canonical_form_is_rejected(String json) {
        assertThatIllegalArgumentException().isThrownBy(() -> JsonCanonical.of(json));
    }

    @Test
    void the_canonical_form_of_a_canonical_text_is_the_same_text() {
        String canonical =
                JsonCanonical.of("{\"b\":[1.5,{}],\"a\":{\"y\":\"\\u001f\\u007f\",\"x\":[]}}");

        assertThat(canonical)
                .isEqualTo("{\"a\":{\"x\":[],\"y\":\"\\u001f\u007f\"},\"b\":[1.5,{}]}");
        assertThat(JsonCanonical.of(canonical)).isEqualTo(canonical);
    }
}
