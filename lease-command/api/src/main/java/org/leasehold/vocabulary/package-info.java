/** Ids, periods and shares that all other types are made of. */
@NullMarked
package org.leasehold.vocabulary;

import org.jspecify.annotations.NullMarked;
