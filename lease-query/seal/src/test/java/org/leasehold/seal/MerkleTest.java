package org.leasehold.seal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.leasehold.seal.ProjectMerkleTree.InclusionProof;
import org.leasehold.seal.ProjectMerkleTree.Standing;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

class MerkleTest {

    @Test
    void a_tree_of_three_leaves_matches_rfc_9162() throws Exception {
        byte[] a = hash(new byte[] {0, 'a'});
        byte[] b = hash(new byte[] {0, 'b'});
        byte[] c = hash(new byte[] {0, 'c'});

        assertThat(Merkle.root(List.of()).hex())
                .isEqualTo("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assertThat(Merkle.root(List.of("a", "b", "c")))
                .isEqualTo(Hash.of(hash(joined(hash(joined(a, b)), c))));
    }

    @Test
    void a_path_leads_to_the_root_only_from_the_right_leaf() {
        for (int size = 1; size <= 20; size++) {
            List<String> leaves = IntStream.range(0, size).mapToObj(i -> "leaf " + i).toList();
            Hash root = Merkle.root(leaves);
            for (int index = 0; index < size; index++) {
                List<Hash> path = Merkle.path(leaves, index);
                assertThat(Merkle.root(leaves.get(index), index, size, path)).isEqualTo(root);
                assertThat(Merkle.root("another", index, size, path)).isNotEqualTo(root);
                int at = index;
                int of = size;
                List<Hash> longer = new ArrayList<>(path);
                longer.add(root);
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> Merkle.root("leaf", at, of, longer));
            }
        }
    }

    @Test
    void different_lists_have_different_roots() {
        Set<Hash> roots = new HashSet<>();
        List<List<String>> lists =
                List.of(
                        List.of(),
                        List.of("a"),
                        List.of("a", "a"),
                        List.of("a", "a", "a"),
                        List.of("a", "b"),
                        List.of("b", "a"));

        lists.forEach(list -> roots.add(Merkle.root(list)));

        assertThat(roots).hasSize(lists.size());
    }

    @Test
    void a_project_is_proven_without_the_streams_of_other_projects() {
        ProjectMerkleTree all = new ProjectMerkleTree();
        List<Standing> ownStreams = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            for (String project : List.of("astronomy", "biology", "chemistry")) {
                Standing standing =
                        new Standing(project, project + i, i, Hash.of(project + " event " + i));
                all.put(standing);
                if (project.equals("biology")) {
                    ownStreams.add(standing);
                }
            }
        }
        InclusionProof proof = all.prove("biology");

        assertThat(ProjectMerkleTree.root("biology", ownStreams, proof)).isEqualTo(all.root());
        assertThat(ProjectMerkleTree.root("biology", ownStreams.subList(1, 5), proof))
                .isNotEqualTo(all.root());
        assertThat(ProjectMerkleTree.root("astronomy", ownStreams, proof)).isNotEqualTo(all.root());
        assertThatIllegalArgumentException().isThrownBy(() -> all.prove("geology"));
    }

    private static byte[] joined(byte[] left, byte[] right) {
        byte[] joined = new byte[1 + left.length + right.length];
        joined[0] = 1;
        System.arraycopy(left, 0, joined, 1, left.length);
        System.arraycopy(right, 0, joined, 1 + left.length, right.length);
        return joined;
    }

    private static byte[] hash(byte[] bytes) throws Exception {
        return java.security.MessageDigest.getInstance("SHA-256").digest(bytes);
    }
}
