package org.leasehold.seal;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Where all streams stand, as two trees: one of the projects, and one for each of its streams. So a
 * project's streams are proven complete without a word about the others.
 */
public final class SealedProjects {

    private final SortedMap<String, SortedMap<String, Standing>> projects = new TreeMap<>();

    /**
     * Where a stream stands.
     *
     * @param sequence of its last event
     * @param hash of its last event
     */
    public record Standing(String project, String stream, long sequence, Hash hash) {

        /** As it is hashed, and a line of an export. */
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
     * Where one project is in the tree.
     *
     * @param path what its leaf has to be joined with
     */
    public record Place(long index, long projects, List<Hash> path) {}

    /** Adds a stream, or lets it stand elsewhere. */
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
     * Where a project is.
     *
     * @throws IllegalArgumentException if there is none
     */
    public Place place(String project) {
        int index = new ArrayList<>(projects.keySet()).indexOf(project);
        if (index < 0) {
            throw new IllegalArgumentException("no event of project " + project);
        }
        return new Place(index, projects.size(), Merkle.path(leaves(), index));
    }

    /** The root that a project's streams lead to from its place. */
    public static Hash root(String project, List<Standing> streams, Place place) {
        SealedProjects alone = new SealedProjects();
        streams.forEach(alone::put);
        return Merkle.root(alone.leaf(project), place.index(), place.projects(), place.path());
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
