"""The table of lanes: it is complete, fits its budget, and agrees with Maven's module graph."""

import os
import re
import unittest
from pathlib import Path

from check import lanes, modules, schedule


class TheTable(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.table = lanes.load()
        cls.graph = modules.read()

    def selected_by(self, module):
        row = self.table.modules[module]
        return set(self.table.names()) if row == lanes.ALL else {
            lane.name for lane in self.table.with_needed(row)}

    def test_budgets_fit_the_target(self):
        planned = schedule.planned_minutes(self.table.lanes, self.table.slots)
        self.assertLessEqual(planned, self.table.target_minutes)

    def test_the_limit_is_well_under_ninety_minutes(self):
        self.assertLessEqual(self.table.limit_minutes, 80)
        self.assertGreater(self.table.limit_minutes, self.table.target_minutes)

    def test_each_maven_module_has_a_row_and_no_other_folder_has(self):
        self.assertEqual(sorted(self.table.modules), sorted(self.graph))

    def test_the_graph_is_read_from_the_poms(self):
        self.assertIn(("lease-command/api", "compile"), self.graph["lease-command/core"])
        self.assertIn(("infra/proof/invariants", "test"), self.graph["infra/runtime"])

    def test_dependencies_of_tests_are_not_transitive(self):
        graph = {"a": {("b", "test"), ("c", "compile")}, "b": {("d", "compile"), ("e", "test")}, "c": {("f", "test")},
                 "d": set(), "e": set(), "f": set()}
        self.assertEqual(modules.needed_by(graph, "a"), {"a", "b", "c", "d"})

    def test_modules_that_all_others_may_know_select_all_lanes(self):
        for module in [name for name in self.graph if name.endswith("/api")] + ["infra/runtime"]:
            self.assertEqual(self.table.modules[module], lanes.ALL, module)

    def test_a_change_below_the_module_of_a_lane_selects_the_lane(self):
        for lane in self.table.lanes:
            if lane.module:
                for module in modules.needed_by(self.graph, lane.module):
                    self.assertIn(lane.name, self.selected_by(module), module)

    def test_each_module_selects_the_build(self):
        for module in self.graph:
            self.assertIn("verify", self.selected_by(module), module)

    def test_each_lane_is_selected_by_a_module_or_a_path(self):
        rows = [*self.table.modules.values(), *self.table.paths.values()]
        named = {name for row in rows if row != lanes.ALL for name in row}
        # These are selected because others need them, or because the check itself changed.
        self.assertEqual(set(self.table.names()) - named, {"check", "packages", "testbed", "testbed-2"})

    def test_each_path_of_the_table_exists(self):
        for path in self.table.paths:
            self.assertTrue(os.path.exists(os.path.join(lanes.ROOT, path)), path)

    def test_each_script_of_a_lane_exists(self):
        for lane in self.table.lanes:
            for word in lane.run.split():
                if word.startswith(("infra/", ".ci/")) and "=" not in word:
                    self.assertTrue(os.path.exists(os.path.join(lanes.ROOT, word)), word)

    def test_a_lane_loads_its_programs_before_it_enters_the_second_network(self):
        scripts = Path(lanes.ROOT, "infra", "openstack", "e2e")
        loading = []
        for lane in self.table.lanes:
            before, _, inside = lane.run.partition(".ci/testbed-2 infra/openstack/e2e/run ")
            for name in re.findall("[a-z]+", inside):
                script = scripts / (name + ".py")
                if script.exists() and "PythonTools" in script.read_text(encoding="utf-8"):
                    self.assertIn("infra/openstack/e2e/%s --install" % name, before)
                    loading.append(lane.name)
        self.assertEqual(loading, ["cloud-clients"])


class ABadTable(unittest.TestCase):
    def parse(self, **changes):
        content = {"slots": 2, "target_minutes": 1, "limit_minutes": 2, "every_case_limit_minutes": 3,
                   "modules": {}, "paths": {},
                   "lanes": {"one": {"run": "true", "minutes": 1}}}
        return lanes.parse({**content, **changes})

    def test_a_row_names_lanes_that_exist(self):
        with self.assertRaisesRegex(lanes.BadTable, "unknown lanes: two"):
            self.parse(modules={"a": ["one", "two"]})

    def test_a_lane_stands_below_those_that_it_needs(self):
        with self.assertRaisesRegex(lanes.BadTable, "two, which must stand above it"):
            self.parse(lanes={"one": {"run": "true", "minutes": 1, "after": ["two"]}, "two": {"run": "true", "minutes": 1}})

    def test_a_misspelt_field_is_named(self):
        with self.assertRaisesRegex(lanes.BadTable, "unknown fields: minuts"):
            self.parse(lanes={"one": {"run": "true", "minuts": 1}})


if __name__ == "__main__":
    unittest.main()
