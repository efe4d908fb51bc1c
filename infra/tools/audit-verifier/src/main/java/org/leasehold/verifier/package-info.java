/** Checks an export of the events with nothing but the export and a public key. */
@NullMarked
package org.leasehold.verifier;

import org.jspecify.annotations.NullMarked;
