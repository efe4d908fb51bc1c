package org.leasehold.runtime.audit;

import org.jspecify.annotations.Nullable;
import org.leasehold.query.seal.HeadSigner;
import org.leasehold.query.seal.SigningKeys;
import org.leasehold.runtime.database.DatabaseSettings;
import org.leasehold.runtime.setting.InvalidSettingException;
import org.leasehold.saga.node.Node;
import org.leasehold.seal.SigningKey;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;

/** The signing keys and the daily signed heads. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(AuditSettings.class)
class SigningConfiguration {

    @Bean
    SigningKeys signingKeys(AuditSettings settings, DatabaseSettings database) {
        Path file = settings.signingKey();
        if (file == null && database.isEmbedded()) {
            file = database.folder().resolve("audit-key.pem");
            createKeyIfMissing(file);
        }
        return new SigningKeys(read(file), read(settings.formerSigningKey()));
    }

    @Bean
    DailyHeadSigner dailyHead(HeadSigner heads, Node node) {
        return new DailyHeadSigner(heads, node);
    }

    private static @Nullable SigningKey read(@Nullable Path file) {
        if (file == null) {
            return null;
        }
        try {
            return SigningKey.of(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "leasehold.audit: cannot read the signing key " + file, e);
        } catch (IllegalArgumentException e) {
            throw new InvalidSettingException(
                    "leasehold.audit: the key %s: %s".formatted(file, e.getMessage()));
        }
    }

    /** Creates the key file. It is never readable by others and never half written. */
    private static void createKeyIfMissing(Path file) {
        if (Files.exists(file)) {
            return;
        }
        try {
            Path folder = file.toAbsolutePath().normalize().getParent();
            Files.createDirectories(folder);
            Path draft =
                    Files.createTempFile(
                            folder,
                            "audit-key",
                            ".draft",
                            PosixFilePermissions.asFileAttribute(
                                    PosixFilePermissions.fromString("rw-------")));
            Files.writeString(
                    draft,
                    SigningKey.generate(),
                    StandardOpenOption.WRITE,
                    StandardOpenOption.SYNC);
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot keep the signing key in " + file, e);
        }
    }
}
