package org.leasehold.publishing.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.publishing.webhook.PermittedAddressResolver.NotPermitted;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The permitted destinations: none that trusts every client from this network. */
class DestinationPolicyTest {

    private static final String NO_SUCH_HOST =
            "must have a host with known addresses, all of them permitted";

    private static boolean isPermitted(String address, String... allowed)
            throws UnknownHostException {
        return new DestinationPolicy(List.of(allowed)).isPermitted(InetAddress.getByName(address));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0.0.0.0",
                "0.1.2.3",
                "10.0.0.1",
                "10.255.255.255",
                "100.64.0.1",
                "100.127.255.254",
                "127.0.0.1",
                "127.255.255.254",
                "169.254.169.254",
                "172.16.0.1",
                "172.31.255.255",
                "192.0.0.192",
                "192.0.2.1",
                "192.88.99.1",
                "192.168.1.1",
                "198.18.0.1",
                "198.19.255.255",
                "198.51.100.1",
                "203.0.113.7",
                "224.0.0.1",
                "239.255.255.255",
                "240.0.0.1",
                "255.255.255.255",
                "::",
                "::1",
                "::7f00:1",
                "::ffff:127.0.0.1",
                "::ffff:10.0.0.1",
                "::ffff:a9fe:a9fe",
                "64:ff9b::10.0.0.1",
                "64:ff9b::a9fe:a9fe",
                "64:ff9b:1::8.8.8.8",
                "100::1",
                "2001::1",
                "2001:db8::1",
                "2002:7f00:1::1",
                "2002:a00:1::1",
                "3fff::1",
                "5f00::1",
                "fc00::1",
                "fd00:ec2::254",
                "fe80::1",
                "fec0::1",
                "ff02::1"
            })
    void a_non_public_address_is_not_permitted(String address) throws UnknownHostException {
        assertThat(isPermitted(address)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.1.1.1",
                "9.255.255.255",
                "11.0.0.0",
                "100.63.255.255",
                "100.128.0.0",
                "126.255.255.255",
                "128.0.0.0",
                "169.253.255.255",
                "172.15.255.255",
                "172.32.0.0",
                "192.167.255.255",
                "192.169.0.0",
                "223.255.255.255",
                "2001:4860:4860::8888",
                "2606:4700::1111",
                "64:ff9b::8.8.8.8"
            })
    void a_public_address_is_permitted(String address) throws UnknownHostException {
        assertThat(isPermitted(address)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "10.1.2.3, 10.1.0.0/16, true",
        "10.2.0.1, 10.1.0.0/16, false",
        "10.1.2.3, 10.1.2.2/31, true",
        "10.1.2.3, 10.1.2.3/32, true",
        "10.1.2.4, 10.1.2.3/32, false",
        "::ffff:10.1.2.3, 10.1.0.0/16, true",
        "fd00::7, fd00::/8, true",
        "fe80::1, fd00::/8, false",
        "127.0.0.1, ::/0, false",
        "127.0.0.1, 0.0.0.0/0, true"
    })
    void an_allowed_network_permits_the_addresses_in_it(
            String address, String allowed, boolean permitted) throws UnknownHostException {
        assertThat(isPermitted(address, allowed)).isEqualTo(permitted);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "10.0.0.0", "10.0.0.0/33", "fd00::/129", "localhost/8", "10/8/8"})
    void an_invalid_network_setting_is_rejected(String network) {
        assertThatThrownBy(() -> settings(true, network))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("leasehold.webhooks.allowed-networks");
    }

    private static WebhookSettings settings(boolean allowHttp, String... allowed) {
        return new WebhookSettings(
                20,
                List.of(allowed),
                allowHttp,
                Duration.ofHours(24),
                Duration.ofSeconds(5),
                Duration.ofSeconds(5),
                List.of());
    }

    private static ConfiguredWebhookRules rules(
            boolean allowHttp, HostResolver names, String... allowed) {
        return new ConfiguredWebhookRules(
                settings(allowHttp, allowed),
                new PermittedAddressResolver(names, new DestinationPolicy(List.of(allowed))));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "http://example.org/ | must begin with https://",
                "HTTPS://example.org/ | ",
                "https://example.org:8443/a?b=c | ",
                "https://[2606:4700::1111]/ | ",
                "ftp://example.org/ | must begin with https://",
                "file:///etc/passwd | must begin with https://",
                "https:/example.org | must have a host",
                "https:example.org | must have a host",
                "https://user@example.org/ | must not have a user or a password before its host",
                "https://u:p@example.org/ | must not have a user or a password before its host",
                "https://example.org/#a | must not have a fragment",
                "https://example.org:0/ | must have a port that there is",
                "https://example.org:65536/ | must have a port that there is",
                "https://exa mple.org/ | must be a URL of at most 2000 ASCII characters",
                "https://exämple.org/ | must be a URL of at most 2000 ASCII characters",
                "https://example.org/% | must be a URL",
                "example.org | must begin with https://",
                "https://127.0.0.1/ | must have a host with known addresses, all of them permitted",
                "https://[::1]/ | must have a host with known addresses, all of them permitted",
                "https://2130706433/ | must have a host with known addresses, all of them"
                        + " permitted",
                "https://[::ffff:169.254.169.254]/ | must have a host with known addresses, all of"
                        + " them permitted"
            })
    void an_objection_to_a_url_gives_the_reason(String url, String objection) {
        HostResolver names =
                host ->
                        host.equals("example.org")
                                ? InetAddress.getAllByName("1.1.1.1")
                                : InetAddress.getAllByName(host);

        assertThat(rules(false, names).findObjection(url).orElse(null)).isEqualTo(objection);
    }

    @Test
    void a_setting_permits_http_urls() {
        HostResolver names = _ -> InetAddress.getAllByName("1.1.1.1");

        assertThat(rules(true, names).findObjection("http://example.org/")).isEmpty();
        assertThat(rules(true, names).findObjection("ftp://example.org/"))
                .hasValue("must begin with https:// or http://");
    }

    @Test
    void a_host_without_an_address_is_not_permitted() {
        HostResolver noAddress =
                host -> {
                    throw new UnknownHostException(host);
                };

        assertThat(rules(false, noAddress).findObjection("https://example.org/"))
                .hasValue(NO_SUCH_HOST);
        assertThat(rules(false, _ -> new InetAddress[0]).findObjection("https://example.org/"))
                .hasValue(NO_SUCH_HOST);
    }

    @Test
    void an_objection_does_not_reveal_the_existence_of_a_host() {
        HostResolver inside =
                host -> {
                    if (host.equals("there.internal")) {
                        return InetAddress.getAllByName("10.0.0.1");
                    }
                    throw new UnknownHostException(host);
                };
        ConfiguredWebhookRules rules = rules(false, inside);

        assertThat(rules.findObjection("https://there.internal/"))
                .isPresent()
                .isEqualTo(rules.findObjection("https://nowhere.internal/"));
    }

    /** Otherwise the connection could use the forbidden address. */
    @Test
    void one_forbidden_address_of_a_host_forbids_the_host() {
        HostResolver both =
                _ ->
                        new InetAddress[] {
                            InetAddress.getByName("1.1.1.1"), InetAddress.getByName("10.0.0.1")
                        };

        assertThat(rules(false, both).findObjection("https://example.org/")).hasValue(NO_SUCH_HOST);
    }

    @Test
    void each_resolution_checks_the_addresses_of_the_host() throws UnknownHostException {
        Deque<String> answers = new ArrayDeque<>(List.of("1.1.1.1", "127.0.0.1"));
        PermittedAddressResolver names =
                new PermittedAddressResolver(
                        _ -> InetAddress.getAllByName(answers.remove()),
                        new DestinationPolicy(List.of()));

        assertThat(names.resolve("example.org")).hasSize(1);
        assertThatThrownBy(() -> names.resolve("example.org")).isInstanceOf(NotPermitted.class);
    }
}
