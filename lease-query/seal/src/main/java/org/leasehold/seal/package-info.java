/**
 * How events are sealed, once for the engine that seals them and for whoever checks it without the
 * engine: canonical bytes, hashes, trees and signatures. Stands on the JDK and a reader of JSON.
 */
@NullMarked
package org.leasehold.seal;

import org.jspecify.annotations.NullMarked;
