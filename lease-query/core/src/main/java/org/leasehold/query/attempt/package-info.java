/** What was tried in vain, as the write side and the gateway have noted it down. */
@NullMarked
package org.leasehold.query.attempt;

import org.jspecify.annotations.NullMarked;
