package org.leasehold.seal;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;

/**
 * A tree of hashes as in RFC 9162: one root for many leaves, and a short proof that a leaf is among
 * them. The proof reveals nothing about other leaves. Leaves and inner nodes are hashed
 * differently, so that neither can be mistaken for the other.
 */
public final class Merkle {

    private static final byte LEAF = 0;
    private static final byte NODE = 1;

    private Merkle() {}

    /** Returns the root over leaves in their order; without leaves, the hash of nothing. */
    public static Hash root(List<String> leaves) {
        if (leaves.isEmpty()) {
            return Hash.of("");
        }
        List<Hash> level = hashes(leaves);
        while (level.size() > 1) {
            level = parentLevel(level);
        }
        return level.getFirst();
    }

    /** Returns the hashes that join a leaf, level by level, with the root. */
    public static List<Hash> path(List<String> leaves, int index) {
        List<Hash> path = new ArrayList<>();
        List<Hash> level = hashes(leaves);
        for (int i = index; level.size() > 1; i /= 2) {
            int sibling = i ^ 1;
            if (sibling < level.size()) {
                path.add(level.get(sibling));
            }
            level = parentLevel(level);
        }
        return path;
    }

    /**
     * Returns the root that a leaf and its path lead to.
     *
     * @throws IllegalArgumentException if there is no such index, or the path has the wrong length
     */
    public static Hash root(String leaf, long index, long leaves, List<Hash> path) {
        if (index < 0 || index >= leaves) {
            throw new IllegalArgumentException("no leaf " + index + " of " + leaves);
        }
        Hash hash = leaf(leaf);
        int used = 0;
        long position = index;
        for (long size = leaves; size > 1; size = (size + 1) / 2) {
            if ((position ^ 1) < size) {
                if (used == path.size()) {
                    throw new IllegalArgumentException("a path that is too short");
                }
                Hash sibling = path.get(used++);
                hash = position % 2 == 0 ? node(hash, sibling) : node(sibling, hash);
            }
            position /= 2;
        }
        if (used < path.size()) {
            throw new IllegalArgumentException("a path that is too long");
        }
        return hash;
    }

    private static List<Hash> hashes(List<String> leaves) {
        return leaves.stream().map(Merkle::leaf).toList();
    }

    private static List<Hash> parentLevel(List<Hash> level) {
        List<Hash> above = new ArrayList<>();
        for (int i = 0; i < level.size(); i += 2) {
            above.add(i + 1 < level.size() ? node(level.get(i), level.get(i + 1)) : level.get(i));
        }
        return above;
    }

    private static Hash leaf(String leaf) {
        MessageDigest digest = Hash.digest();
        digest.update(LEAF);
        return Hash.of(digest.digest(leaf.getBytes(StandardCharsets.UTF_8)));
    }

    private static Hash node(Hash left, Hash right) {
        MessageDigest digest = Hash.digest();
        digest.update(NODE);
        digest.update(left.bytes());
        return Hash.of(digest.digest(right.bytes()));
    }
}
