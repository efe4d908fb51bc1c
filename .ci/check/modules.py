"""Maven's module graph, read from the poms."""

import os
import xml.etree.ElementTree

from check.lanes import ROOT

POM = "{http://maven.apache.org/POM/4.0.0}"
GROUP = "org.leasehold"
TEST = "test"


def read(root=ROOT):
    """Returns each module's folder, with the folders of the modules that it depends on and the scope of each."""
    parent = xml.etree.ElementTree.parse(os.path.join(root, "pom.xml")).getroot()
    poms = {}
    for module in parent.iter(POM + "module"):
        poms[module.text] = xml.etree.ElementTree.parse(os.path.join(root, module.text, "pom.xml")).getroot()
    folders = {pom.findtext(POM + "artifactId"): folder for folder, pom in poms.items()}
    return {folder: {(folders[name], scope) for name, scope in dependencies(pom)} for folder, pom in poms.items()}


def dependencies(pom):
    for dependency in pom.findall("%sdependencies/%sdependency" % (POM, POM)):
        if dependency.findtext(POM + "groupId") == GROUP:
            yield dependency.findtext(POM + "artifactId"), dependency.findtext(POM + "scope") or "compile"


def needed_by(graph, module):
    """Returns the module and all that runs with it and its tests. As in Maven, test dependencies are not transitive."""
    found = {module}
    rest = [needed for needed, _ in graph[module]]
    while rest:
        each = rest.pop()
        if each not in found:
            found.add(each)
            rest.extend(needed for needed, scope in graph[each] if scope != TEST)
    return found


def of(path, graph):
    """Returns the module that a file belongs to, or None; modules may lie in the folder of another one."""
    owners = [module for module in graph if path.startswith(module + "/")]
    return max(owners, key=len, default=None)
