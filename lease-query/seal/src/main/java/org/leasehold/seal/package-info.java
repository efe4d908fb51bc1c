/**
 * The sealing of events: canonical bytes, hashes, trees and signatures, for the engine and for
 * checks without it. It depends on the JDK and a JSON reader only.
 */
@NullMarked
package org.leasehold.seal;

import org.jspecify.annotations.NullMarked;
