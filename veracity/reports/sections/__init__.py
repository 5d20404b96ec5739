"""The parts of a page, each a function of the material that gives a section, or nothing where there is none."""

from veracity.reports.material import Material
from veracity.reports.page import Section
from veracity.reports.sections.advice import advice_section
from veracity.reports.sections.confusion_matrices import confusion_section
from veracity.reports.sections.curve_charts import curve_section
from veracity.reports.sections.estimates_and_tuning import estimate_section, tuning_section
from veracity.reports.sections.explorer import explorer_section
from veracity.reports.sections.methods_used import method_section
from veracity.reports.sections.rankings_and_comparisons import comparison_section, ranking_section
from veracity.reports.sections.splits_and_failures import failure_section, split_section, table_section

ORDER = (
    ranking_section,
    comparison_section,
    estimate_section,
    tuning_section,
    table_section,
    curve_section,
    explorer_section,
    confusion_section,
    split_section,
    failure_section,
    advice_section,
    method_section,
)


def sections(material: Material) -> tuple[Section, ...]:
    """The sections that this material has, in reading order."""
    every = (part(material) for part in ORDER)
    return tuple(section for section in every if section is not None)
