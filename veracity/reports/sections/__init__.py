"""The parts of a page, each a function of the material that gives a section, or nothing where there is none."""

from veracity.reports.material import Material, display_material
from veracity.reports.page import Section
from veracity.reports.sections import results
from veracity.reports.sections.methods import advice_section, method_section
from veracity.reports.sections.predictions import confusion_section, curve_section, explorer_section

ORDER = (
    results.ranking_section,
    results.comparison_section,
    results.estimate_section,
    results.tuning_section,
    results.table_section,
    curve_section,
    explorer_section,
    confusion_section,
    results.split_section,
    results.failure_section,
    advice_section,
    method_section,
)


def sections(material: Material) -> tuple[Section, ...]:
    """Return the sections that this material has, in reading order, methods in them by the names that people know."""
    shown = display_material(material)
    # the advice finds figures and notes by the names that are typed
    every = (part(material if part is advice_section else shown) for part in ORDER)
    return tuple(section for section in every if section is not None)
