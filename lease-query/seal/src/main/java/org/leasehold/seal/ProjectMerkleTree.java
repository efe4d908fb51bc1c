package org.leasehold.seal;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The last events of all streams, as two trees: one of the projects, and one of the streams of
 * each. So a proof that a project's streams are complete reveals nothing about other projects.
 */
public final class ProjectMerkleTree {

    private final SortedMap<String, SortedMap<String, Standing>> projects = new TreeMap<>();

    /**
     * The last event of a stream.
     *
     * @param sequence of its last event
     * @param hash of its last event
     */
    public record Standing(String project, String stream, long sequence, Hash hash) {

        /** Returns the text that is hashed, and is a line of an export. */
        public String line() {
            return JsonCanonical.write(
                    Map.of(
                            "project",
                            project,
                            "stream",
                            stream,
                            "sequence",
                            sequence,
                            "hash",
                            hash.hex()));
        }
    }

    /**
     * The proof that a project is in the tree.
     *
     * @param path the hashes that join its leaf with the root
     */
    public record InclusionProof(long index, long projects, List<Hash> path) {}

    /** Adds a stream, or replaces its last event. */
    public void put(Standing standing) {
        projects.computeIfAbsent(standing.project(), _ -> new TreeMap<>())
                .put(standing.stream(), standing);
    }

    public long streams() {
        return projects.values().stream().mapToLong(Map::size).sum();
    }

    public long projects() {
        return projects.size();
    }

    public Hash root() {
        return Merkle.root(leaves());
    }

    /**
     * Returns the proof that a project is in the tree.
     *
     * @throws IllegalArgumentException if there is none
     */
    public InclusionProof prove(String project) {
        int index = new ArrayList<>(projects.keySet()).indexOf(project);
        if (index < 0) {
            throw new IllegalArgumentException("no event of project " + project);
        }
        return new InclusionProof(index, projects.size(), Merkle.path(leaves(), index));
    }

    /** Returns the root that a project's streams and its proof lead to. */
    public static Hash root(String project, List<Standing> streams, InclusionProof proof) {
        ProjectMerkleTree alone = new ProjectMerkleTree();
        streams.forEach(alone::put);
        return Merkle.root(alone.leaf(project), proof.index(), proof.projects(), proof.path());
    }

    private List<String> leaves() {
        return projects.keySet().stream().map(this::leaf).toList();
    }

    private String leaf(String project) {
        List<String> streams =
                projects.getOrDefault(project, new TreeMap<>()).values().stream()
                        .map(Standing::line)
                        .toList();
        return JsonCanonical.write(Map.of("project", project, "root", Merkle.root(streams).hex()));
    }
}
