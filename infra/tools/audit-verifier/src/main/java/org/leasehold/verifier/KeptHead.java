package org.leasehold.verifier;

import org.leasehold.seal.Hash;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The number and the hash of a head that an auditor keeps outside of the engine.
 *
 * @param number the head's number, from 1
 */
record KeptHead(long number, Hash hash) {

    /** Reads {@code NUMBER:HASH}. */
    static final class Converter implements ITypeConverter<KeptHead> {

        @Override
        public KeptHead convert(String text) {
            int colon = text.indexOf(':');
            try {
                long number = Long.parseLong(text, 0, Math.max(colon, 0), 10);
                Hash hash = new Hash(text.substring(colon + 1));
                if (number >= 1) {
                    return new KeptHead(number, hash);
                }
            } catch (IllegalArgumentException e) {
                // The message below says what is expected.
            }
            throw new TypeConversionException("not NUMBER:HASH: " + text);
        }
    }
}
