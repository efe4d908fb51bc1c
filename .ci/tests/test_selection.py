"""The lanes that a change selects."""

import os
import subprocess
import tempfile
import unittest

from check import lanes, selection

GRAPH = {"core/api": set(), "core": {"core/api"}}


def table():
    one = {"run": "true", "minutes": 1}
    return lanes.parse({
        "slots": 1, "target_minutes": 1, "limit_minutes": 2, "every_case_limit_minutes": 3,
        "lanes": {"verify": one, "cloud": {**one, "after": ["verify"]}, "command-line": one},
        "modules": {"core/api": "all", "core": ["verify"]},
        "paths": {"harness/": "all", "cloud/": ["cloud"], "core/golden/": ["command-line"], "cloud/guide.md": ["cloud"]}})


class PathsSelect(unittest.TestCase):
    def of(self, *paths):
        return selection.of(paths, table(), GRAPH)

    def assert_all(self, path):
        self.assertEqual(self.of(path), selection.Selection({}, "%s changed" % path))

    def assert_lanes(self, path, *names):
        found = self.of(path)
        self.assertEqual(found.all_because, "")
        self.assertEqual(set(found.reasons), set(names))

    def test_a_module_selects_its_row(self):
        self.assert_lanes("core/src/main/java/A.java", "verify")

    def test_a_module_inside_another_one_is_itself(self):
        self.assert_all("core/api/src/main/java/A.java")

    def test_a_lane_comes_with_what_it_needs(self):
        self.assert_lanes("cloud/hosts.py", "cloud", "verify")

    def test_the_longest_prefix_counts(self):
        self.assert_lanes("core/golden/a.json", "command-line")

    def test_a_pom_selects_all(self):
        self.assert_all("core/pom.xml")
        self.assert_all("pom.xml")

    def test_a_migration_selects_all(self):
        self.assert_all("core/src/main/resources/db/migration/V1__a.sql")

    def test_an_unmapped_path_selects_all(self):
        self.assert_all("elsewhere/a.txt")

    def test_a_document_selects_nothing_unless_it_has_a_row(self):
        self.assert_lanes("core/README.md")
        self.assert_lanes("elsewhere/notes.md")
        self.assert_lanes("cloud/guide.md", "cloud", "verify")

    def test_each_reason_names_the_path(self):
        reasons = self.of("core/A.java", "cloud/hosts.py").reasons
        self.assertEqual(reasons["verify"], "core/A.java changed")
        self.assertEqual(reasons["cloud"], "cloud/hosts.py changed")


class TheRealTable(unittest.TestCase):
    """The real table: changes of these paths select all lanes."""

    def test_all_lanes_run_for_what_everything_rests_on(self):
        real = lanes.load()
        for path in ("pom.xml", "lease-saga/pom.xml", ".ci/lanes.toml", ".mvn/maven.config", "infra/proof/harness/engine.py",
                     "lease-query/core/src/main/resources/db/migration/V999__x.sql",
                     "resource-adapters/api/src/main/java/X.java", "infra/runtime/src/main/java/X.java", "no/such/file"):
            found = selection.of([path], real, selection.modules.read())
            self.assertEqual(found.all_because, "%s changed" % path)

    def test_a_change_of_the_adapter_for_openstack_runs_the_cloud_and_no_crash_test(self):
        found = selection.of(["resource-adapters/openstack/src/main/java/X.java"], lanes.load(), selection.modules.read())
        self.assertIn("contract-1", found.reasons)
        self.assertIn("testbed", found.reasons)
        self.assertNotIn("failpoints", found.reasons)


class CommitsSelect(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.git("init", "-q", "-b", "main")
        self.write("pom.xml", '<project xmlns="http://maven.apache.org/POM/4.0.0"/>')
        self.first = self.commit()

    def git(self, *arguments):
        return subprocess.run(["git", "-C", self.folder.name, "-c", "user.name=a", "-c", "user.email=a@b", *arguments],
                              check=True, capture_output=True, text=True).stdout.strip()

    def write(self, path, text):
        path = os.path.join(self.folder.name, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="ascii") as file:
            file.write(text)

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "x")
        return self.git("rev-parse", "HEAD")

    def since(self, base):
        return selection.since(base, table(), self.folder.name)

    def test_nothing_changed(self):
        self.assertEqual(self.since(self.first), selection.Selection({}))

    def test_commits_uncommitted_changes_and_new_files_count(self):
        self.write("cloud/a.py", "1")
        self.commit()
        self.assertEqual(set(self.since(self.first).reasons), {"cloud", "verify"})
        second = self.git("rev-parse", "HEAD")
        self.write("cloud/a.py", "2")
        self.assertEqual(set(self.since(second).reasons), {"cloud", "verify"})
        self.commit()
        self.write("unknown.txt", "1")
        self.assertEqual(self.since("HEAD").all_because, "unknown.txt changed")

    def test_a_file_that_moved_counts_in_both_places(self):
        self.write("harness/a.py", "a long enough text to be found again")
        before = self.commit()
        self.git("mv", "harness/a.py", "cloud.md")
        self.commit()
        self.assertEqual(self.since(before).all_because, "harness/a.py changed")

    def test_a_missing_base_selects_all(self):
        self.assertTrue(self.since("").all_because)

    def test_a_base_that_is_no_ancestor_selects_all(self):
        self.git("checkout", "-q", "-b", "other")
        self.write("a.md", "1")
        other = self.commit()
        self.git("checkout", "-q", "main")
        self.assertIn("not an ancestor", self.since(other).all_because)
        self.assertIn("not an ancestor", self.since("0" * 40).all_because)


if __name__ == "__main__":
    unittest.main()
