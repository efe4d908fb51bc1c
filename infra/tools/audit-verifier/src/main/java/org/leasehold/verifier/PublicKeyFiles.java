package org.leasehold.verifier;

import org.leasehold.seal.TrustedKeys;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;

/** Files of trusted public keys in PEM. They come from a source other than the export. */
final class PublicKeyFiles {

    private static final String BEGIN = "-----BEGIN PUBLIC KEY-----";
    private static final String END = "-----END PUBLIC KEY-----";

    private PublicKeyFiles() {}

    /**
     * Reads all files.
     *
     * @throws IllegalArgumentException if a file cannot be read, or has no public key of Ed25519
     */
    static TrustedKeys read(List<Path> files) {
        TrustedKeys keys = new TrustedKeys();
        for (Path file : files) {
            try {
                String pem = Files.readString(file);
                String base64 = pem.replace(BEGIN, "").replace(END, "").replaceAll("\\s", "");
                keys.trust(Base64.getDecoder().decode(base64));
            } catch (IOException e) {
                throw new IllegalArgumentException("cannot read " + file, e);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("no public key of Ed25519 in PEM: " + file, e);
            }
        }
        return keys;
    }
}
