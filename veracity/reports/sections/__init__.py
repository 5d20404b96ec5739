"""The parts of a page, each a function of the material that gives a section, or nothing where there is none."""

from veracity.report.blocks import Section
from veracity.report.material import Material
from veracity.report.sections.comparisons import compared
from veracity.report.sections.curves import curves
from veracity.report.sections.estimates import estimated
from veracity.report.sections.explorer import explorer
from veracity.report.sections.methods import bibliography, methods
from veracity.report.sections.predictions import confusions
from veracity.report.sections.ranking import ranked
from veracity.report.sections.study import distributions, failures, other_tables

ORDER = (
    estimated,
    ranked,
    compared,
    other_tables,
    curves,
    explorer,
    confusions,
    distributions,
    failures,
    methods,
    bibliography,
)


def sections(material: Material) -> tuple[Section, ...]:
    """The sections that this material has, in reading order."""
    made = [part(material) for part in ORDER]
    return tuple(section for section in made if section is not None)
