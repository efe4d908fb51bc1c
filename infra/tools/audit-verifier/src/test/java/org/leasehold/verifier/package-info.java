@NullMarked
package org.leasehold.verifier;

import org.jspecify.annotations.NullMarked;
