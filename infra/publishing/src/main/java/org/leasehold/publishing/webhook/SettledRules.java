package org.leasehold.publishing.webhook;

import org.jspecify.annotations.Nullable;
import org.leasehold.query.WebhookRules;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** The rules for webhooks of projects, from the settings. */
final class SettledRules implements WebhookRules {

    private static final int LONGEST = 2000;
    private static final int LAST_PORT = 65_535;
    private static final Pattern PRINTABLE = Pattern.compile("[!-~]+");

    private final WebhookSettings settings;
    private final CheckedNames names;

    SettledRules(WebhookSettings settings, CheckedNames names) {
        this.settings = settings;
        this.names = names;
    }

    @Override
    public Optional<String> objectionTo(String url) {
        Optional<String> objection = objectionToForm(url);
        if (objection.isPresent()) {
            return objection;
        }
        try {
            names.resolve(URI.create(url).getHost());
            return Optional.empty();
        } catch (UnknownHostException e) {
            // One text for both cases: the difference would reveal internal names.
            return Optional.of("must have a host with known addresses, all of them permitted");
        }
    }

    /** Checks the URL without resolving its host. */
    Optional<String> objectionToForm(String url) {
        if (url.length() > LONGEST || !PRINTABLE.matcher(url).matches()) {
            return Optional.of("must be a URL of at most " + LONGEST + " ASCII characters");
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
        if (url.getPort() == 0 || url.getPort() > LAST_PORT) {
            return "must have a port that there is";
        }
        return url.getRawFragment() == null ? null : "must not have a fragment";
    }

    @Override
    public int mostPerProject() {
        return settings.mostPerProject();
    }

    @Override
    public Duration formerSecretFor() {
        return settings.formerSecretFor();
    }
}
