/** Pages of results, which all read models share. */
@NullMarked
package org.leasehold.readmodel;

import org.jspecify.annotations.NullMarked;
