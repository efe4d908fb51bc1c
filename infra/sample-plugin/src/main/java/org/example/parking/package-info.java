/**
 * Parking spaces, leased like hosts: a resource plugin that is built without the engine's source.
 */
@NullMarked
package org.example.parking;

import org.jspecify.annotations.NullMarked;
