@NullMarked
package org.leasehold.runtime.database;

import org.jspecify.annotations.NullMarked;
