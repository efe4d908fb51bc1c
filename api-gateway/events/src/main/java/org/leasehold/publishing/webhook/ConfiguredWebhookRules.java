package org.leasehold.publishing.webhook;

import org.jspecify.annotations.Nullable;
import org.leasehold.readmodel.subscription.WebhookRules;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** The rules for webhooks of projects, from the settings. */
final class ConfiguredWebhookRules implements WebhookRules {

    private static final int MAX_URL_LENGTH = 2000;
    private static final int MAX_PORT = 65_535;
    private static final Pattern PRINTABLE = Pattern.compile("[!-~]+");

    private final WebhookSettings settings;
    private final PermittedAddressResolver resolver;

    ConfiguredWebhookRules(WebhookSettings settings, PermittedAddressResolver names) {
        this.settings = settings;
        this.resolver = names;
    }

    @Override
    public Optional<String> findObjection(String url) {
        Optional<String> objection = objectionToSyntax(url);
        if (objection.isPresent()) {
            return objection;
        }
        try {
            resolver.resolve(URI.create(url).getHost());
            return Optional.empty();
        } catch (UnknownHostException e) {
            // One text for both cases: the difference would reveal internal names.
            return Optional.of("must have a host with known addresses, all of them permitted");
        }
    }

    /** Checks the URL without resolving its host. */
    Optional<String> objectionToSyntax(String url) {
        if (url.length() > MAX_URL_LENGTH || !PRINTABLE.matcher(url).matches()) {
            return Optional.of("must be a URL of at most " + MAX_URL_LENGTH + " ASCII characters");
        }
        try {
            return Optional.ofNullable(objection(new URI(url)));
        } catch (URISyntaxException e) {
            return Optional.of("must be a URL");
        }
    }

    private @Nullable String objection(URI url) {
        String scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
        if (!scheme.equals("https") && !(scheme.equals("http") && settings.allowHttp())) {
            return settings.allowHttp()
                    ? "must begin with https:// or http://"
                    : "must begin with https://";
        }
        if (url.getRawUserInfo() != null) {
            return "must not have a user or a password before its host";
        }
        if (url.getHost() == null || url.getHost().isEmpty()) {
            return "must have a host";
        }
        if (url.getPort() == 0 || url.getPort() > MAX_PORT) {
            return "must have a port that there is";
        }
        return url.getRawFragment() == null ? null : "must not have a fragment";
    }

    @Override
    public int maxPerProject() {
        return settings.mostPerProject();
    }

    @Override
    public Duration formerSecretValidity() {
        return settings.formerSecretFor();
    }
}
