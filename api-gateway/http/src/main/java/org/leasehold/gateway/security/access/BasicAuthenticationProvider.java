package org.leasehold.gateway.security.access;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toUnmodifiableSet;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.GatewaySettings;
import org.leasehold.gateway.limits.FailedLoginLimiter;
import org.leasehold.gateway.limits.FailedLoginLimiter.LoginSource;
import org.leasehold.gateway.limits.RequestOwner;
import org.leasehold.gateway.security.Caller;
import org.leasehold.gateway.security.Role;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.web.authentication.WebAuthenticationDetails;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The users of the configuration.
 *
 * <p>A password hash is slow on purpose, and HTTP Basic sends the password with every request. So a
 * keyed digest of each user's verified password is cached. Its key exists only as long as the
 * process. Later requests cost microseconds, and no password is stored.
 */
final class BasicAuthenticationProvider implements AuthenticationProvider {

    private static final String DIGEST_ALGORITHM = "HmacSHA256";

    private static final Logger LOG = LoggerFactory.getLogger(BasicAuthenticationProvider.class);

    /** Longer than a few checks take, and shorter than clients wait. */
    private static final Duration CHECK_TIMEOUT = Duration.ofSeconds(2);

    private final PasswordEncoder encoder;
    private final FailedLoginLimiter failedLogins;
    private final Semaphore checkSlots;
    private final Map<String, User> users = new HashMap<>();
    private final Map<String, byte[]> verifiedDigests = new ConcurrentHashMap<>();
    private final SecretKeySpec key;
    private final List<String> encodedPasswords;

    BasicAuthenticationProvider(
            List<GatewaySettings.User> settings,
            PasswordEncoder encoder,
            FailedLoginLimiter failures,
            int checksAtOnce) {
        this.encoder = encoder;
        this.failedLogins = failures;
        this.checkSlots = new Semaphore(checksAtOnce, true);
        for (GatewaySettings.User user : settings) {
            var caller =
                    new Caller(
                            new UserId(user.userId()),
                            user.name(),
                            new ProjectId(user.projectId()),
                            user.projectName(),
                            user.roles().stream().map(Role::of).collect(toUnmodifiableSet()),
                            "basic");
            if (users.put(user.name(), new User(caller, user.password())) != null) {
                throw new IllegalArgumentException("two users are named " + user.name());
            }
        }
        byte[] secret = new byte[32];
        new SecureRandom().nextBytes(secret);
        key = new SecretKeySpec(secret, DIGEST_ALGORITHM);
        encodedPasswords = settings.stream().map(GatewaySettings.User::password).toList();
    }

    @Override
    public Authentication authenticate(Authentication claim) {
        String name = claim.getName();
        String password = String.valueOf(claim.getCredentials());
        User user = users.get(name);
        byte[] digest = digest(name, password);
        byte[] known = user == null ? null : verifiedDigests.get(name);
        if (user == null || known == null || !MessageDigest.isEqual(known, digest)) {
            String address = clientAddress(claim);
            // By name: a client with an old password locks out no other user behind its proxy.
            // Unknown names count in the same way, so that no answer reveals which names exist.
            LoginSource source =
                    new LoginSource(address, HexFormat.of().formatHex(digest(name, "")));
            requireNoPause(source);
            if (!isPasswordCorrect(name, password, user, source) || user == null) {
                failedLogins.recordFailure(source);
                LOG.atInfo()
                        .addKeyValue("address", address)
                        // A text that is no name may be a password in the wrong field.
                        .addKeyValue("user", user == null ? "unknown" : name)
                        .log("A login has failed");
                throw new BadCredentialsException("unknown user or wrong password");
            }
            failedLogins.recordSuccess(source);
            verifiedDigests.put(name, digest);
        }
        return UsernamePasswordAuthenticationToken.authenticated(user.caller(), null, List.of());
    }

    /** Returns the caller with a name, whether logged in or not; empty if no user has the name. */
    Optional<Caller> findCaller(String name) {
        return Optional.ofNullable(users.get(name)).map(User::caller);
    }

    private void requireNoPause(LoginSource source) {
        failedLogins
                .remainingPause(source)
                .ifPresent(
                        pause -> {
                            throw LoginLimitException.tooManyFailures(pause);
                        });
    }

    private static String clientAddress(Authentication claim) {
        return claim.getDetails() instanceof WebAuthenticationDetails details
                ? RequestOwner.normalizeAddress(details.getRemoteAddress())
                : "unknown";
    }

    /** Hashes the password, as soon as few others are being hashed. */
    private boolean isPasswordCorrect(
            String name, String password, @Nullable User user, LoginSource source) {
        try {
            if (!checkSlots.tryAcquire(CHECK_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
                throw LoginLimitException.tooManyChecks();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw LoginLimitException.tooManyChecks();
        }
        try {
            // A request with the same password may have finished while this one waited.
            byte[] known = verifiedDigests.get(name);
            if (known != null && MessageDigest.isEqual(known, digest(name, password))) {
                return true;
            }
            requireNoPause(source);
            if (user == null) {
                simulateCheck(name, password);
                return false;
            }
            return encoder.matches(password, user.encodedPassword());
        } finally {
            checkSlots.release();
        }
    }

    /**
     * Takes as long as a wrong password of a user, so that the time reveals no names. Users may
     * have different encodings: a name always gets the same one, and callers cannot compute which.
     */
    private void simulateCheck(String name, String password) {
        if (!encodedPasswords.isEmpty()) {
            int chosen = ByteBuffer.wrap(digest(name, "")).getInt();
            encoder.matches(
                    password, encodedPasswords.get(Math.floorMod(chosen, encodedPasswords.size())));
        }
    }

    private byte[] digest(String name, String password) {
        try {
            Mac mac = Mac.getInstance(DIGEST_ALGORITHM);
            mac.init(key);
            mac.update(name.getBytes(UTF_8));
            mac.update((byte) 0);
            return mac.doFinal(password.getBytes(UTF_8));
        } catch (GeneralSecurityException everyJvmHasIt) {
            throw new IllegalStateException(everyJvmHasIt);
        }
    }

    @Override
    public boolean supports(Class<?> claim) {
        return UsernamePasswordAuthenticationToken.class.isAssignableFrom(claim);
    }

    private record User(Caller caller, String encodedPassword) {}
}
