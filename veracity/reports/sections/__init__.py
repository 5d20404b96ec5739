"""The parts of a page, each a function of the material that gives a section, or nothing where there is none."""

from veracity.reports.blocks import Section
from veracity.reports.material import Material
from veracity.reports.sections.comparisons import compared
from veracity.reports.sections.curves import curves
from veracity.reports.sections.estimates import estimated
from veracity.reports.sections.explorer import explorer
from veracity.reports.sections.methods import bibliography, methods
from veracity.reports.sections.predictions import confusions
from veracity.reports.sections.ranking import ranked
from veracity.reports.sections.study import distributions, failures, other_tables
from veracity.reports.sections.tuning import tuned

ORDER = (
    ranked,
    compared,
    estimated,
    tuned,
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
