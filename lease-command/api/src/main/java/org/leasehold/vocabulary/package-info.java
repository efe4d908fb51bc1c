/** Ids, periods and shares that all other types are made of, and the catalog of stored names. */
@NullMarked
package org.leasehold.vocabulary;

import org.jspecify.annotations.NullMarked;
