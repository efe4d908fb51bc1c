package org.leasehold.gateway.api.page;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.gateway.api.ApiClient;
import org.leasehold.gateway.api.ApiClient.Answer;
import org.leasehold.gateway.api.ApiTest;
import org.leasehold.gateway.api.InMemoryApi;
import org.leasehold.gateway.v1.InMemoryEngine;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

import java.net.URI;
import java.util.regex.Pattern;

@ApiTest
class PagesTest {

    private static final String BROWSER = "text/html,application/xhtml+xml,*/*;q=0.8";
    private static final Pattern LINK = Pattern.compile("(?:href|src)=\"([^\"]*)\"");

    @Autowired InMemoryEngine engine;
    @LocalServerPort int port;

    private ApiClient client() {
        return new ApiClient(new InMemoryApi(port, engine));
    }

    private Answer get(String user, String path, String accept) {
        return client().send(client().request(user, path).header("Accept", accept).GET());
    }

    @Test
    void a_browser_at_the_root_gets_a_page_without_a_login() {
        Answer page = get("", "/", BROWSER);
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.header("Content-Type")).startsWith("text/html");
        assertThat(page.header("Content-Security-Policy")).contains("default-src 'none'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"*/*", "application/json", "text/*", "nonsense"})
    void a_client_at_the_root_reads_the_versions_with_a_login(String accept) {
        assertThat(get("", "/", accept).status()).isEqualTo(401);
        Answer versions = get("member", "/", accept);
        assertThat(versions.status()).isEqualTo(300);
        assertThat(versions.json().path("versions").isArray()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/docs"})
    void every_link_of_a_page_works_without_a_login(String path) {
        var links = LINK.matcher(get("", path, BROWSER).response().body());
        int found = 0;
        while (links.find()) {
            String target = URI.create(path).resolve(links.group(1)).toString();
            assertThat(get("", target, BROWSER).status()).as(target).isEqualTo(200);
            found++;
        }
        assertThat(found).isGreaterThan(2);
    }

    @ParameterizedTest
    @CsvSource({
        "/docs, text/html",
        "/docs/docs.js, text/javascript",
        "/docs/swagger-ui.css, text/css",
        "/docs/swagger-ui-bundle.js, text/javascript"
    })
    void the_documentation_loads_nothing_from_elsewhere(String path, String type) {
        Answer file = get("", path, "*/*");
        assertThat(file.status()).isEqualTo(200);
        assertThat(file.header("Content-Type")).startsWith(type);
        assertThat(file.header("Content-Security-Policy")).startsWith("default-src 'self';");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/docs/other.js", "/docs/..%2fwelcome.html", "/docs/index.html"})
    void other_files_are_not_served(String path) {
        assertThat(get("", path, "*/*").status()).isBetween(400, 404);
    }
}
