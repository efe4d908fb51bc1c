package org.leasehold.query.seal;

import org.jspecify.annotations.Nullable;
import org.leasehold.seal.SigningKey;

/**
 * The keys of this node.
 *
 * @param present signs heads; null where nothing is signed
 * @param before signs the present one as its successor; null if there is none, or it is lost
 */
public record SigningKeys(@Nullable SigningKey present, @Nullable SigningKey before) {

    /**
     * Returns the key that signs heads.
     *
     * @throws IllegalStateException if there is none
     */
    SigningKey signing() {
        if (present == null) {
            throw new IllegalStateException("there is no key to sign with");
        }
        return present;
    }
}
