"""A function for each message, with the holes of its sentences. Made by tests/support/make_diagnose.py; do not edit."""

from collections.abc import Callable, Collection, Iterable
from datetime import date
from typing import Concatenate, Literal, ParamSpec, Protocol, TypeAlias, TypedDict, Unpack

from ..model.diagnostics import Diagnostic
from ..model.source import Span

P = ParamSpec("P")
Kind: TypeAlias = Callable[Concatenate[Span, P], Diagnostic]
AnyKind: TypeAlias = Callable[..., Diagnostic]
Where: TypeAlias = Span | str
Said: TypeAlias = str | float | date | Collection[object]

class More(TypedDict, total=False):
    among: Iterable[str]
    nearest: str | None
    also: tuple[Span, ...]
    severity: Literal["error", "warning"]

class OfName(Protocol):
    def __call__(self, span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...

class OfKey(Protocol):
    def __call__(self, span: Where, *, key: Said, **more: Unpack[More]) -> Diagnostic: ...

def code_of(kind: AnyKind) -> str: ...
def codes_of(*kinds: AnyKind) -> frozenset[str]: ...

# reader.toml
def wrong_encoding(span: Where, *, encoding: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW001
def invalid_utf8(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW002
def invisible_character(span: Where, *, character: Said, count: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW003
def file_beyond_limits(
    span: Where, *, size: Said, depth: Said, nodes: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW004
def empty_file(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW005
def unusual_whitespace(span: Where, *, character: Said, count: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW006
def fullwidth_colon(span: Where, *, key: Said, repair: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW007
def missing_space_after_colon(span: Where, *, key: Said, repair: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW008
def duplicate_key(span: Where, *, key: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW009
def yaml_tag_or_anchor(span: Where, *, mark: Said, repair: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW010
def unquoted_indicator(span: Where, *, mark: Said, repair: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW011
def unquoted_hash(span: Where, *, text: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW012
def unintended_continuation(span: Where, *, text: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW013
def malformed_quotes(span: Where, *, text: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW014
def second_colon(span: Where, *, text: Said, repair: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW015
def invalid_indentation(span: Where, *, columns: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW016
def neither_key_nor_item(span: Where, *, text: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW017
def yaml_document_marker(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW018
def invalid_yaml(span: Where, *, detail: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW019
def unclosed_bracket(
    span: Where, *, mark: Said, right: Said, repair: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW306
def lone_name(span: Where, *, text: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW307
def missing_comma(span: Where, *, before: Said, key: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW308

# language.toml
def empty_sentence(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW020
def sentence_too_complex(
    span: Where, *, characters: Said, nesting: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW021
def colon_in_sentence(span: Where, *, sign: Said, rest: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW022
def expected_actor(span: Where, *, found: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW023
def expected_verb(
    span: Where, *, after: Said, words_en: Said, words_zh: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW024
def expected_role(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW025
def expected_term(span: Where, *, what_en: Said, what_zh: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW026
def expected_value(span: Where, *, after: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW027
def expected_condition(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW028
def expected_keyword(span: Where, *, words_en: Said, words_zh: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW029
def trailing_words(span: Where, *, after: Said, found: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW030
def program_operator(span: Where, *, sign: Said, en: Said, zh: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW031
def braces_in_sentence(span: Where, *, sign: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW032
def unexpected_sign(span: Where, *, sign: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW033
def invalid_token(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW034
def ambiguous_sentence(span: Where, *, reading: Said, other: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW035
def missing_word(span: Where, *, after: Said, found: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW036
def mixed_and_or(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW037
def wrong_actor_count(
    span: Where, *, verb: Said, count: Said, found: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW038
def number_out_of_range(span: Where, *, found: Said, most: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW039
def meant_onward(span: Where, *, word: Said, place: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW294
def unnamed_answer(span: Where, *, form: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW295
def expected_count(span: Where, *, what_en: Said, what_zh: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW392

# link.toml
def expected_mapping(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW040
def unknown_key(span: Where, *, key: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW041
def missing_key(span: Where, *, key: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW042
def missing_sentence(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW043
def wrong_value_shape(span: Where, *, key: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW044
def missing_file(span: Where, *, path: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW045
def file_outside_project(span: Where, *, path: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW046
def circular_include(span: Where, *, path: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW047
def duplicate_name(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW048
def reserved_name(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW049
def malformed_matrix_line(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW050
def uneven_matrix_row(span: Where, *, found: Said, expected: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW051
def empty_matrix(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW052
def unknown_matrix_stage(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW053
def unknown_matrix_row(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW054
def unknown_matrix_letter(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW055
def unknown_matrix_phase(span: Where, *, stage: Said, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW056
def inapplicable_conduct_rule(span: Where, *, rule: Said, found: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW057
def invalid_name_sign(span: Where, *, name: Said, sign: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW058
def unfit_each(span: Where, *, name: Said, value: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW059
def unknown_role(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW060
def unknown_kind(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW061
def unknown_field(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW062
def unknown_document(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW063
def unknown_part(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW064
def missing_part_argument(span: Where, *, part: Said, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW065
def unknown_part_argument(span: Where, *, part: Said, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW066
def misplaced_perform(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW067
def else_without_if(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW068
def unexpected_step_key(span: Where, *, key: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW069
def missing_turn_limit(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW070
def missing_step_key(span: Where, *, key: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW071
def mismatched_step_content(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW072
def ambiguous_role(span: Where, *, name: Said, roles: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW073
def expected_yes_or_no(span: Where, *, found: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW074
def unknown_persona(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW075
def unknown_stage(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW076
def unknown_choice(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW077
def unsupported_version(span: Where, *, found: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW078
def expected_number(span: Where, *, found: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW079
def sealed_field_granted(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW080
def field_overlaps_sealed(
    span: Where, *, name: Said, sealed: Said, path: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW081
def sealed_field_used(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW082
def unknown_field_key(
    span: Where, *, owner: Said, key: Said, known: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW083
def unauthorized_read(
    span: Where, *, path: Said, kind: Said, places: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW084
def wrong_view_path(span: Where, *, path: Said, instead: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW085
def unknown_view_name(span: Where, *, path: Said, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW086
def missing_step_template(
    span: Where, *, role: Said, stage: Said, path: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW087
def not_yet_created(
    span: Where, *, name: Said, first: Said, stages: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW088
def unreachable_step(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW089
def uncast_actor(span: Where, *, actor: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW090
def unsayable_token(span: Where, *, token: Said, actor: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW091
def misplaced_token_hole(span: Where, *, token: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW092
def ambiguous_token(span: Where, *, token: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW093
def unused_field(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW094
def unused_declaration(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW095
def never_created(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW096
def excessive_turns(span: Where, *, found: Said, most: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW097
def empty_declaration(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW098
def incomplete_citation(span: Where, *, found: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW099
def unsaid_locale(span: Where, *, locale: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW293
def key_in_two_spellings(span: Where, *, key: Said, first: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW390
def unlisted_law(span: Where, *, found: Said, laws: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW391
def case_for_procedure(span: Where, *, name: Said, path: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW393
def step_called_like_people(span: Where, *, name: Said, path: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW720
def role_called_like_kind(span: Where, *, name: Said, path: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW721
def reserved_template_name(span: Where, *, path: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW722
def unsaid_party(span: Where, *, side: Said, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW723
def fullwidth_sign(
    span: Where, *, sign: Said, right: Said, repair: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW742
def unfit_number_of_persons(span: Where, *, name: Said, value: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW743
def unfit_person_name(span: Where, *, name: Said, value: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW744
def unfit_represented_role(span: Where, *, name: Said, value: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW745
def unfit_target(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW746
def unfit_role_condition(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW747
def unfit_alongside(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW748
def unknown_decision(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW890

# templates.toml
def unreadable_template(span: Where, *, found: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW100
def unpaired_tag(span: Where, *, tag: Said, wanted: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW101
def unknown_tag(span: Where, *, tag: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW102
def forbidden_assignment(span: Where, *, tag: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW103
def forbidden_call(span: Where, *, tag: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW104
def unsupported_syntax(span: Where, *, what: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW105
def computed_name(span: Where, *, what: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW106
def unknown_filter_or_test(span: Where, *, name: Said, allowed: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW107
def misused_filter_or_test(span: Where, *, name: Said, usage: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW108
def unknown_template_name(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW109
def unknown_template_key(span: Where, *, owner: Said, key: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW110
def unprintable_value(span: Where, *, path: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW111
def expected_template_list(span: Where, *, path: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW112
def shadowed_name(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW113
def missing_template(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW114
def circular_template_include(span: Where, *, chain: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW115
def template_too_complex(span: Where, *, what: Said, limit: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW116
def unexpected_template_sign(span: Where, *, character: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW117
def template_limit_exceeded(span: Where, *, limit: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW118
def misplaced_template_name(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW119
def missing_figure_table(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW450
def unreadable_payment(span: Where, *, found: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW451
def invalid_table_date(span: Where, *, found: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW452
def two_currencies(span: Where, *, one: Said, other: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW578
def money_of_another_currency(
    span: Where, *, path: Said, currency: Said, sign: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW579
def unknown_list_of_words(span: Where, *, table: Said, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW904

# case.toml
def invalid_json(span: Where, *, detail: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW120
def sealed_override(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW121
def unknown_record(span: Where, *, n: Said, count: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW122
def unspecified_record(span: Where, *, count: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW123
def unsettable_field(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW124
def excessive_nesting(span: Where, *, depth: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW125
def missing_required_field(
    span: Where, *, title: Said, field: Said, path: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW126
def expected_record(
    span: Where, *, title: Said, where: Said, known: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW127
def expected_text(span: Where, *, title: Said, where: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW128
def unused_case_key(span: Where, *, key: Said, where: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW129
def unrecognized_case_format(span: Where, *, procedure: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW130
def missing_case_records(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW131
def binding_for_other_procedure(
    span: Where, *, binding: Said, meant: Said, procedure: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW132
def unknown_case_field(span: Where, *, procedure: Said, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW133
def unspecified_side(
    span: Where, *, field: Said, name: Said, known: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW134
def unknown_record_key(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW135
def invalid_path(span: Where, *, path: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW136
def invalid_binding_rule(
    span: Where, *, word: Said, form: Said, known: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW137
def binding_overlaps_sealed(span: Where, *, path: Said, sealed: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW138
def unmatched_binding_rule(span: Where, *, name: Said, count: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW139
def amended_record_is_another(
    span: Where, *, title: Said, ids: Said, field: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW243
def amended_alone(span: Where, *, title: Said, left: Said, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW244
def unused_case_entries(span: Where, *, count: Said, names: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW330
def invalid_case_date(
    span: Where, *, title: Said, field: Said, found: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW490
def amended_from_no_place(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW610
def unknown_persona_dimension(
    span: Where, *, name: Said, person: Said, known: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW750
def unknown_persona_level(
    span: Where, *, dimension: Said, person: Said, name: Said, known: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW751
def unamendable_field(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW975
def amended_field_used(span: Where, *, name: Said, amends: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW976
def amendment_with_own_form(
    span: Where, *, name: Said, amends: Said, key: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW977
def amendment_without_start(
    span: Where, *, title: Said, field: Said, found: Said, known: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW978
def amendment_never_comes(span: Where, *, title: Said, day: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW979

# run.toml
def damaged_journal_line(span: Where, *, n: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW140
def unsupported_journal_line(span: Where, *, n: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW141
def busy_run_folder(span: Where, *, path: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW142
def folder_not_empty(span: Where, *, path: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW143
def missing_run_folder(span: Where, *, path: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW144
def unreadable_run_yaml(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW145
def missing_run_key(span: Where, *, key: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW146
def invalid_run_key(span: Where, *, key: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW147
def unsupported_run_format(span: Where, *, format: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW148
def altered_run_copies(span: Where, *, path: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW149
def inaccessible_path(span: Where, *, path: Said, reason: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW150
def unknown_procedure(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW151
def unknown_case(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW152
def unknown_binding(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW153
def link_outside_project(span: Where, *, path: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW154
def oversized_file(span: Where, *, path: Said, size: Said, cap: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW155
def not_a_folder(span: Where, *, path: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW156
def missing_run_file(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW157
def damaged_run_file(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW158
def altered_run_yaml(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW159
def missing_prompt_line(span: Where, *, n: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW194
def unmatched_party(span: Where, *, title: Said, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW574
def sum_of_two_currencies(
    span: Where, *, name: Said, one: Said, other: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW590
def undeclared_marks(span: Where, *, model: Said, mark: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW640
def undecided_question(span: Where, *, speaker: Said, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW690
def missing_named_file(span: Where, *, path: Said, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW740
def borrowed_wording(
    span: Where, *, name: Said, count: Said, example: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW741
def ended_without_document(span: Where, *, title: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW987

# models.toml
def missing_api_key(span: Where, *, model: Said, variable: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW160
def unknown_provider(span: Where, *, model: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW161
def invalid_api_key(span: Where, *, variable: Said, model: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW162
def uncallable_model(span: Where, *, model: Said, detail: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW163
def invalid_api_address(span: Where, *, variable: Said, model: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW164
def rejected_api_key(
    span: Where, *, model: Said, status: Said, detail: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW165
def unknown_model(span: Where, *, model: Said, detail: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW166
def context_too_long(span: Where, *, model: Said, detail: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW167
def refused_content(span: Where, *, model: Said, detail: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW168
def refused_request(
    span: Where, *, model: Said, status: Said, detail: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW169
def failed_service(
    span: Where, *, model: Said, status: Said, attempts: Said, detail: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW170
def rate_limited(
    span: Where, *, model: Said, attempts: Said, detail: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW171
def failed_connection(
    span: Where, *, model: Said, attempts: Said, detail: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW172
def model_deadline_exceeded(
    span: Where, *, model: Said, seconds: Said, attempts: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW173
def malformed_model_answer(
    span: Where, *, model: Said, attempts: Said, detail: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW174
def unsupported_tools(span: Where, *, model: Said, detail: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW175
def empty_model_answer(
    span: Where, *, model: Said, attempts: Said, detail: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW176
def exhausted_quota(
    span: Where, *, model: Said, status: Said, detail: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW177
def budget_spent(span: Where, *, budget: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW178
def no_provider_batches(span: Where, *, model: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW301
def conflicting_api_addresses(
    span: Where, *, variable: Said, model: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW698
def strayed_request(span: Where, *, model: Said, detail: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW699

# command.toml
def model_against_record(
    span: Where, *, model: Said, role: Said, n: Said, answered: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW179
def diverging_replay(span: Where, *, n: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW180
def unplayed_role(span: Where, *, role: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW181
def unknown_model_role(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW182
def unknown_option(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW183
def unknown_option_choice(
    span: Where, *, name: Said, value: Said, known: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW184
def invalid_target(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW185
def unknown_place(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW186
def unknown_replaced_document(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW187
def unreached_place(span: Where, *, place: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW188
def missing_equals_sign(span: Where, *, word: Said, option: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW189
def invalid_record_number(span: Where, *, word: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW190
def missing_recorded_reply(span: Where, *, request: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW191
def missing_case(span: Where, *, spec: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW192
def ambiguous_binding(span: Where, *, names: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW193
def unknown_call(span: Where, *, turn: Said, last: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW195
def unknown_person(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW196
def unknown_party(
    span: Where, *, field: Said, name: Said, known: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW197
def unknown_profile(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW198
def internal_error(span: Where, *, error: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW199
def unknown_offline_actor(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW200
def place_already_passed(span: Where, *, place: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW201
def document_not_yet_written(span: Where, *, place: Said, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW202
def unknown_command(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW203
def unknown_command_option(span: Where, *, command: Said, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW204
def missing_command_argument(
    span: Where, *, command: Said, name: Said, usage: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW205
def invalid_option_number(
    span: Where, *, value: Said, name: Said, command: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW206
def missing_option_value(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW207
def invalid_usage(
    span: Where, *, command: Said, reason: Said, usage: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW208
def unknown_stage_or_phase(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW209
def unknown_tool_mode(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW300
def unknown_given_answer(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW412
def impossible_given_answer(
    span: Where, *, name: Said, value: Said, known: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW413
def unknown_given_answer_subject(
    span: Where, *, word: Said, name: Said, known: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW414
def given_answer_to_model(
    span: Where, *, name: Said, roles: Said, models: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW415
def given_answer_to_nobody(
    span: Where, *, name: Said, roles: Said, models: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW416
def unused_given_answer(span: Where, *, word: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW417
def malformed_given_answer(span: Where, *, word: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW418
def contradicting_given_answers(
    span: Where, *, word: Said, first: Said, second: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW419
def malformed_given_answers(span: Where, *, key: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW420
def named_no_party(
    span: Where, *, field: Said, name: Said, known: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW573
def repeated_name_value(
    span: Where, *, name: Said, option: Said, values: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW612
def place_left_out(span: Where, *, place: Said, part: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW680
def place_ruled_out(
    span: Where, *, place: Said, part: Said, where: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW681
def place_comes_once(span: Where, *, place: Said, n: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW682
def place_missed(span: Where, *, place: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW683
def run_budget_spent(
    span: Where, *, budget: Said, tokens: Said, dollars: Said, path: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW684
def tools_called_in_words(span: Where, *, name: Said, role: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW685
def tools_called_natively(span: Where, *, name: Said, role: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW686
def change_of_ended_run(span: Where, *, path: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW687
def grader_budget_spent(
    span: Where, *, budget: Said, tokens: Said, dollars: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW688
def invalid_option_choice(
    span: Where, *, option: Said, name: Said, known: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW749
def ambiguous_person(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW777

# library.toml
def unknown_law(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW210
def missing_law_text(
    span: Where, *, law: Said, article_en: Said, article_zh: Said, path: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW211
def repealed_law(span: Where, *, law: Said, date: Said, by: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW212
def law_not_yet_in_force(
    span: Where, *, law: Said, at: Said, since: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW213
def missing_law_version(
    span: Where, *, at: Said, law: Said, adopted: Said, since: Said, held: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW214
def unknown_article(
    span: Where,
    *,
    law: Said,
    adopted: Said,
    article_en: Said,
    count: Said,
    last: Said,
    article_zh: Said,
    **more: Unpack[More],
) -> Diagnostic: ...  # LW215
def unknown_article_part(
    span: Where,
    *,
    article_en: Said,
    law: Said,
    count: Said,
    place_en: Said,
    article_zh: Said,
    place_zh: Said,
    **more: Unpack[More],
) -> Diagnostic: ...  # LW216
def invalid_option_value(span: Where, *, word: Said, option: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW217
def amended_article(
    span: Where, *, article_en: Said, law: Said, by: Said, since: Said, at: Said, article_zh: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW218
def ambiguous_law(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW219
def invalid_article_number(span: Where, *, word: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW220
def unimportable_path(
    span: Where, *, path: Said, known: Said, most: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW221
def missing_library(span: Where, *, path: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW222
def unrecognized_law(span: Where, *, file: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW223
def discontinuous_articles(span: Where, *, last: Said, article: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW224
def conflicting_law_files(
    span: Where, *, article: Said, count: Said, other: Said, adopted: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW225
def assumed_effective_date(span: Where, *, law: Said, date: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW226
def busy_library(span: Where, *, path: Said, reason: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW227
def unusable_library(span: Where, *, path: Said, reason: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW228
def empty_library_case(span: Where, *, n: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW229

# documents.toml
def unknown_run_document(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW230
def missing_libreoffice(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW231
def unknown_layout_name(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW232
def invalid_word_file(span: Where, *, path: Said, detail: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW233
def failed_pdf_conversion(span: Where, *, detail: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW234
def unreadable_document(span: Where, *, path: Said, detail: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW235
def unknown_wording_folder(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW236
def misplaced_template(span: Where, *, path: Said, there: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW237
def untold_field(
    span: Where, *, path: Said, field: Said, role: Said, stage: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW238

# decisions.toml
def unknown_decided_part(span: Where, *, part: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW240
def undeclared_part(
    span: Where, *, decision: Said, name: Said, known: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW871
def votes_without_place(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW872
def undecided_part(span: Where, *, decision: Said, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW873
def decided_twice(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW874
def drafted_before_decided(
    span: Where, *, document: Said, decision: Said, name: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW875
def unread_part(
    span: Where, *, document: Said, name: Said, decision: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW876
def decided_by_several(span: Where, *, actor: Said, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW877
def decided_for_others(span: Where, *, path: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW950
def absent_norms(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW951
def decided_by_words(span: Where, *, path: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW952

# authoring.toml
def run_of_other_procedure(
    span: Where, *, name: Said, procedure: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW241
def nothing_to_watch(span: Where, *, path: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW242
def lacking_command_library(
    span: Where, *, library: Said, extra: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW463
def edit_of_shipped_file(span: Where, *, path: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW464
def no_such_name(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW581
def unknown_code(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW727
def table_without_mark(span: Where, *, key: Said, repair: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW728
def unformatted_file(span: Where, *, code: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW729
def layout_changes_meaning(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW730
def unwritable_encoding(span: Where, *, encoding: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW731
def nothing_to_rename(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW732
def unfit_name(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW733
def rename_is_ambiguous(span: Where, *, name: Said, count: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW734
def rename_reaches_elsewhere(
    span: Where, *, name: Said, file: Said, line: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW735
def step_without_basis(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW736
def dead_branch(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW737
def strict_of_no_procedure(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW791
def file_not_in_revision(span: Where, *, path: Said, revision: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW846
def nothing_to_compare(span: Where, *, spec: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW847
def keywords_not_known(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW896
def keywords_change_meaning(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW897

# bindings.toml
def untaken_content(
    span: Where, *, because: Said, field: Said, text: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW245
def odd_name(span: Where, *, field: Said, text: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW510
def long_claim(span: Where, *, field: Said, length: Said, text: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW511
def court_words(span: Where, *, field: Said, word: Said, text: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW512
def outcome_shown(span: Where, *, field: Said, text: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW513
def mostly_empty(span: Where, *, name: Said, empty: Said, count: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW514
def record_not_an_object(span: Where, *, n: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW515
def record_of_other_binding(
    span: Where, *, bindings: Said, procedures: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW516
def further_records(
    span: Where, *, title: Said, first: Said, others: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW611
def path_stopped(
    span: Where, *, where: Said, field: Said, count: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW642
def refused_record(
    span: Where, *, because: Said, path: Said, word: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW643
def invalid_refusal(span: Where, *, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW644
def odd_shape(
    span: Where, *, field: Said, shape: Said, text: Said, word: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW800
def unknown_shape(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW801
def invalid_shape(span: Where, *, word: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW802
def decision_shown(span: Where, *, field: Said, text: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW803
def lacking_document(span: Where, *, stage: Said, title: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW804
def repeated_column(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW805
def invalid_join(span: Where, *, word: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW806
def missing_joined_key(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW807
def several_joined(span: Where, *, name: Said, count: Said, key: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW808
def fallback_taken(span: Where, *, field: Said, text: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW910
def unlisted_text(span: Where, *, field: Said, text: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW911
def value_said_twice(span: Where, *, field: Said, text: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW912

# constructs.toml
def unknown_checklist(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW260
def expected_list_field(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW261
def conflicting_review_keys(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW262
def unknown_earlier_phase(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW263
def too_few_drafts(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW264
def reversed_score_range(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW265
def empty_checklist(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW266
def review_of_silent_actor(span: Where, *, actor: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW267
def review_of_oneself(span: Where, *, actor: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW268
def unseen_topics(span: Where, *, actor: Said, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW269
def missing_construct_key(span: Where, *, key: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW270
def indistinct_speakers(
    span: Where, *, one: Said, other: Said, title: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW271
def unanswered_question(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW272
def repeated_list_item(span: Where, *, item: Said, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW273
def empty_list(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW274
def unsettled_role_condition(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW275
def part_of_steps_and_phases(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW276
def mismatched_argument(
    span: Where, *, name: Said, value: Said, wanted_en: Said, wanted_zh: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW277
def circular_part(span: Where, *, name: Said, chain: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW278
def too_many_parts_performed(span: Where, *, most: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW279
def repeated_reviewer(span: Where, *, actor: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW460
def circular_representation(span: Where, *, name: Said, chain: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW461
def repeated_part(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW462
def unknown_hole(span: Where, *, hole: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW725
def prompts_alike(span: Where, *, role: Said, path: Said, item: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW726
def several_leaders(span: Where, *, actor: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW986

# practice.toml
def unknown_operation(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW280
def unknown_role_or_kind(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW281
def unknown_act(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW282
def unknown_tool_parameter(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW283
def undeclared_tool(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW284
def unknown_memory_key(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW287
def invalid_write_mode(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW288
def mismatched_skill_card(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW289
def unwritable_memory(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW290
def unusable_skill(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW291
def changing_memory_field(span: Where, *, text: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW712

# presence.toml
def absent_after_leaving(span: Where, *, actor: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW292
def never_absent(span: Where, *, actor: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW422
def never_leaves(span: Where, *, actor: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW423
def kept_out_actor(span: Where, *, actor: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW470
def empty_room(span: Where, *, key: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW471
def nothing_to_read(span: Where, *, name: Said, actor: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW472
def needless_entrance(span: Where, *, actor: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW473
def unread_phase(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW474
def later_minutes(span: Where, *, stages: Said, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW475
def overheard_talk(span: Where, *, others: Said, names: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW476
def answer_names_no_party(span: Where, *, name: Said, value: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW575
def hears_this_alone(span: Where, *, actor: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW580
def let_in_unawares(span: Where, *, actor: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW770
def vain_attendance(span: Where, *, actor: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW771
def sent_out_in_vain(span: Where, *, actor: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW772
def named_no_parties(span: Where, *, name: Said, roles: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW775
def replaced_in_a_loop(span: Where, *, document: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW776

# values.toml
def unread_truth(span: Where, *, title: Said, found: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW302
def unread_figure(span: Where, *, title: Said, found: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW303
def unasked_word(
    span: Where, *, title: Said, found: Said, known: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW304
def word_for_nothing(span: Where, *, title: Said, found: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW305
def impossible_day_in_text(span: Where, *, title: Said, found: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW309
def circular_type(span: Where, *, chain: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW424
def never_of_its_type(
    span: Where, *, path: Said, word: Said, known: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW425
def no_type_of_answers(span: Where, *, type: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW576
def answer_of_two_forms(span: Where, *, name: Said, type: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW577
def unknown_value_type(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW752
def unfit_type_setting(
    span: Where, *, key: Said, found: Said, type: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW753
def invalid_amount(span: Where, *, title: Said, found: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW754
def invalid_rate(span: Where, *, title: Said, found: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW755
def invalid_date(span: Where, *, title: Said, found: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW756
def impossible_date(span: Where, *, found: Said, title: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW757
def invalid_number(
    span: Where, *, title: Said, unit: Said, found: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW758
def ambiguous_value(
    span: Where, *, found: Said, title: Said, readings: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW759
def value_out_of_range(span: Where, *, title: Said, found: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW760
def foreign_currency(
    span: Where, *, title: Said, wanted: Said, found: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW761
def mixed_currencies(
    span: Where, *, title: Said, one: Said, other: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW762
def invalid_choice_value(
    span: Where, *, title: Said, found: Said, known: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW763
def unresolved_reference(
    span: Where, *, name: Said, title: Said, field: Said, known: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW764
def duplicate_value(span: Where, *, found: Said, title: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW765
def circular_reference(span: Where, *, title: Said, chain: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW766
def expected_single_value(span: Where, *, title: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW767
def unfit_comparison(
    span: Where, *, left: Said, type: Said, right: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW768
def unfit_date_source(
    span: Where, *, name: Said, field: Said, type: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW769
def unlike_units(
    span: Where, *, left: Said, one: Said, right: Said, other: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW989

# score.toml
def unreadable_rubric_sentence(span: Where, *, text: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW310
def rubric_sentence_too_complex(span: Where, *, limit: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW311
def unknown_function(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW312
def invalid_rubric_name(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW313
def invalid_missing_setting(span: Where, *, found: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW314
def unreadable_range(span: Where, *, found: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW315
def unknown_scoring_rule(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW316
def unknown_rule_argument(
    span: Where, *, rule: Said, name: Said, known: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW317
def unknown_item_or_formula(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW318
def repeated_name(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW319
def formula_outside_range(span: Where, *, low: Said, high: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW320
def invalid_direction(span: Where, *, found: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW321
def unknown_item_part(
    span: Where, *, owner: Said, name: Said, known: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW322
def unknown_rubric_place(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW323
def unknown_rubric(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW324
def unknown_grader_name(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW325
def rubric_for_other_procedure(
    span: Where, *, rubric: Said, procedure: Said, known: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW326
def unfinished_run(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW327
def unreadable_scores(span: Where, *, path: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW328
def unknown_scale(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW329
def missing_rubric(span: Where, *, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW331
def missing_rubric_scores(span: Where, *, rubric: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW332
def outdated_scores(span: Where, *, rubric: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW333
def unknown_grouping_field(
    span: Where, *, name: Said, option: Said, known: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW334
def unwritable_scores(span: Where, *, path: Said, reason: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW335
def division_by_zero(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW336
def unscored_run(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW337
def unwritable_file(span: Where, *, path: Said, reason: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW338
def unknown_report_grader(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW339
def altered_scores(span: Where, *, path: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW374
def scores_of_another_record(span: Where, *, path: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW375
def unknown_cutoff_model(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW520
def unreadable_cutoff(span: Where, *, word: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW521
def mixed_overall(span: Where, *, rubric: Said, apart: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW522
def unknown_condition_fact(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW710
def unknown_dataset_role(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW711

# ratings.toml
def invalid_pair_scale(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW340
def unsuitable_rubric(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW341
def sheets_already_exported(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW342
def assumed_gbk_encoding(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW343
def unreadable_sheet(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW345
def oversized_sheet(span: Where, *, size: Said, cap: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW346
def empty_sheet(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW347
def missing_sheet_column(
    span: Where, *, names: Said, row: Said, found: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW348
def invalid_rating(
    span: Where, *, row: Said, title: Said, found: Said, column: Said, scale: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW349
def conflicting_ratings(
    span: Where, *, row: Said, id: Said, file: Said, first: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW350
def unknown_rating_id(span: Where, *, row: Said, found: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW351
def sheet_of_other_export(
    span: Where, *, found: Said, tag: Said, count: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW352
def empty_ratings(span: Where, *, count: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW353
def missing_rating_key(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW354
def unreadable_rating_key(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW355
def missing_path(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW356
def unpaired_runs(span: Where, *, count: Said, runs: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW357
def model_named_in_record(span: Where, *, record: Said, names: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW358
def changed_since_export(span: Where, *, rubric: Said, grader: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW359

# intervene.toml
def unknown_section(
    span: Where, *, document: Said, name: Said, known: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW360
def undeclared_intervention(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW361
def invalid_change(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW362
def swap_with_itself(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW363
def unwritten_document(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW364
def unknown_intervention_name(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW365
def missing_stage_figure(
    span: Where, *, rubric: Said, stage: Said, known: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW366
def interventions_for_other_procedure(
    span: Where, *, name: Said, procedure: Said, known: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW367
def unknown_interventions(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW368
def conflicting_study_folder(span: Where, *, keys: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW369
def inapplicable_intervention(
    span: Where, *, document: Said, sections: Said, quality: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW370
def outdated_intervention(span: Where, *, path: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW371
def empty_writer_reply(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW372
def invalid_comparison_side(span: Where, *, found: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW373

# interruptions.toml
def unknown_event_place(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW380
def conflicting_event_keys(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW381
def unraisable_event(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW382
def unknown_continuation(
    span: Where, *, place: Said, name: Said, known: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW383
def self_raising_event(
    span: Where, *, name: Said, answer: Said, limit: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW384
def unseen_intention(span: Where, *, actor: Said, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW385
def ambiguous_event_token(span: Where, *, token: Said, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW386
def idle_objection(span: Where, *, actor: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW387
def invalid_ruling(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW388
def several_rulers(span: Where, *, actor: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW984

# inherit.toml
def circular_extends(span: Where, *, name: Said, most: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW400
def unknown_extended_procedure(
    span: Where, *, name: Said, listed: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW401
def misplaced_extends(span: Where, *, key: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW402
def changes_without_extends(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW403
def mismatched_change_content(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW404
def misplaced_change_content(span: Where, *, key: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW405
def unknown_change_target(span: Where, *, name: Said, procedure: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW406
def conflicting_change(span: Where, *, name: Said, line: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW407
def inherited_name(
    span: Where, *, name: Said, procedure: Said, target_en: Said, target_zh: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW408
def removed_name_used(span: Where, *, name: Said, line: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW409
def mismatched_insertion(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW410
def lost_wording(
    span: Where, *, name: Said, original: Said, folder: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW411

# answers.toml
def average_of_no_number(span: Where, *, name: Said, average: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW421
def unasked_answer(span: Where, *, name: Said, whose: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW440
def expected_numbers(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW441
def unfit_tie(span: Where, *, actor: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW443
def uncountable_answer(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW444
def faction_of_no_vote(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW445
def faction_shows_itself(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW447
def never_carried(span: Where, *, votes: Said, voters: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW448
def last_answer_alone(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW449
def title_of_no_choice(span: Where, *, owner: Said, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW453
def shared_title(span: Where, *, owner: Said, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW454
def unsayable_title(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW455
def untitled_answer(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW456
def title_of_no_answer(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW457
def person_as_word(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW465
def choice_of_one(span: Where, *, name: Said, actor: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW466
def limit_beyond_list(
    span: Where, *, name: Said, most: Said, actor: Said, count: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW467
def choice_of_no_choice(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW468
def circular_choice(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW491
def talk_of_one(span: Where, *, actor: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW492
def followed_without_vote(
    span: Where, *, document: Said, name: Said, known: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW724
def last_vote_alone(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW773
def single_votes_counted(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW774
def value_of_several(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW841
def several_deciders(span: Where, *, actor: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW842
def unsaid_choice(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW985

# studio.toml
def studio_run_gone(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW430
def no_such_studio_page(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW431
def unreadable_studio_query(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW432
def studio_busy(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW433
def studio_error(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW434
def studio_port_taken(span: Where, *, port: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW435
def no_studio_host(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW436
def secret_in_published(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW437
def site_folder_not_empty(span: Where, *, path: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW438

# dates.toml
def unknown_date(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW480
def circular_dates(span: Where, *, names: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW481
def date_from_nowhere(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW482
def rolling_without_reckoning(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW483
def unsuitable_date_field(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW484
def unknown_holidays(span: Where, *, found: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW485
def weekends_alone(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW486
def day_already_past(span: Where, *, name: Said, later: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW487
def day_may_be_missing(span: Where, *, field: Said, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW488
def date_shown_beyond_field(
    span: Where, *, name: Said, field: Said, kind: Said, stage: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW489
def unknown_working_days(span: Where, *, year: Said, title: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW988

# batch.toml
def other_run_in_folder(span: Where, *, path: Said, what: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW500
def case_named_twice(span: Where, *, id: Said, other: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW501
def run_failed(span: Where, *, path: Said, error: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW502
def oversized_record(span: Where, *, cap: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW503
def cut_archive(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW504
def case_timed_out(span: Where, *, path: Said, seconds: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW505
def worker_crashed(span: Where, *, path: Said, how: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW506
def invalid_limit(
    span: Where, *, word: Said, known: Said, example: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW507
def unknown_price(span: Where, *, model: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW508
def busy_batch(span: Where, *, path: Said, holder: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW509
def invalid_price(span: Where, *, word: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW540
def no_batch(span: Where, *, path: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW541
def damaged_batch_file(span: Where, *, path: Said, reason: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW542
def unreachable_cluster(span: Where, *, address: Said, reason: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW543
def lost_cluster(span: Where, *, reason: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW544
def worker_not_started(span: Where, *, where: Said, reason: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW545
def full_cluster(span: Where, *, seconds: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW546
def address_as_folder(span: Where, *, path: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW547
def unusable_address(span: Where, *, path: Said, reason: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW548
def missing_store_library(span: Where, *, path: Said, library: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW549
def unstored_run(
    span: Where, *, path: Said, reason: Said, scratch: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW550
def unreachable_store(span: Where, *, path: Said, reason: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW551
def store_in_use(span: Where, *, path: Said, holder: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW552
def damaged_stored_file(span: Where, *, path: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW553
def store_of_one_process(span: Where, *, path: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW554

# index.toml
def unknown_run_column(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW530
def unreadable_run_condition(span: Where, *, text: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW531
def number_in_run_condition(span: Where, *, name: Said, text: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW532
def no_folder_of_runs(span: Where, *, path: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW533

# skills.toml
def invalid_card_name(span: Where, *, name: Said, most: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW560
def taken_card_name(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW561
def spec_outside_specs(span: Where, *, path: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW562
def nobody_to_reflect(span: Where, *, procedure: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW563
def unknown_figure(
    span: Where, *, rubric: Said, name: Said, known: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW564
def conflicting_growth_session(span: Where, *, path: Said, keys: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW565
def missing_growth_session(span: Where, *, path: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW566
def reflected_case_held_out(span: Where, *, id: Said, other: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW567
def card_tells_of_case(
    span: Where, *, card: Said, id: Said, words: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW568
def no_card_grown(span: Where, *, path: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW569
def oversized_card(span: Where, *, path: Said, most: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW570

# corpus.toml
def missing_extra(span: Where, *, library: Said, extra: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW600
def no_judgment_text(span: Where, *, columns: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW601
def unknown_corpus_step(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW602
def unreadable_records(
    span: Where, *, failed: Said, records: Said, allowed: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW603
def no_corpus(span: Where, *, path: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW604
def unreadable_table_row(span: Where, *, detail: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW605
def changed_corpus_step(span: Where, *, step: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW606
def binding_not_civil(span: Where, *, binding: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW607

# disk.toml
def unreadable_project_file(span: Where, *, reason: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW613
def other_project_form(span: Where, *, form: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW614
def unknown_project_key(span: Where, *, key: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW615
def project_key_no_text(span: Where, *, key: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW616
def project_of_another_version(
    span: Where, *, package: Said, version: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW617
def altered_run_file(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW700
def irregular_file(span: Where, *, path: Said, reason: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW701
def unwritable_output(span: Where, *, reason: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW702
def altered_batch_record(span: Where, *, n: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW703
def shortened_batch_record(
    span: Where, *, path: Said, wanted: Said, found: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW704
def altered_batch_command(span: Where, *, path: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW705
def run_against_batch(
    span: Where, *, path: Said, said: Said, now: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW706
def nothing_to_rate(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW707
def no_readable_file(span: Where, *, path: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW708
def repeated_run(span: Where, *, path: Said, other: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW709
def foreign_format(span: Where, *, kind: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW820
def unreadable_word_file(span: Where, *, detail: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW821
def wordless_document(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW822
def unread_american_citations(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW823

# export.toml
def cost_without_model(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW620
def invalid_reply_length(span: Where, *, word: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW621
def nested_form(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW622
def unsafe_archive(span: Where, *, path: Said, reason: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW630
def secret_in_archive(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW631
def sealed_in_archive(span: Where, *, path: Said, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW632
def other_file_in_archive(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW633
def missing_optional_library(
    span: Where, *, library: Said, extra: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW634
def untimed_run(span: Where, *, path: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW635
def trace_not_sent(span: Where, *, path: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW636

# python.toml
def failed_adapter(span: Where, *, name: Said, reason: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW623
def missing_actor(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW878
def failed_actor(
    span: Where, *, name: Said, role: Said, error: Said, detail: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW879
def strange_actor_reply(
    span: Where, *, name: Said, role: Said, kind: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW880
def missing_frame_library(span: Where, *, library: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW881
def broken_plugin(
    span: Where, *, name: Said, group: Said, package: Said, reason: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW882
def shadowing_plugin(
    span: Where, *, name: Said, group: Said, package: Said, of: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW883
def unregistered_part(span: Where, *, name: Said, group: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW884
def lacking_library(span: Where, *, library: Said, extra: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW885

# models_file.toml
def unreadable_call_form(span: Where, *, form: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW641
def key_in_file(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW660
def unknown_model_set(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW661
def circular_fallbacks(span: Where, *, name: Said, path: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW662
def model_name_is_route(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW663
def invalid_model_name(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW664
def invalid_key_variable(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW665
def invalid_model_address(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW666
def reserved_extra(span: Where, *, key: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW667
def unnamed_model(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW668
def unknown_parameter(span: Where, *, key: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW669
def changed_model_entry(span: Where, *, name: Said, keys: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW670
def habits_of_no_model(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW671
def habits_of_other_model(
    span: Where, *, name: Said, tried: Said, before: Said, now: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW672
def other_model_answers(
    span: Where, *, name: Said, now: Said, tried: Said, before: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW673
def unreadable_env_line(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW674
def fallback_answers(
    span: Where, *, name: Said, other: Said, count: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW675
def model_not_tried(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW676
def untriable_model(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW677
def damaged_habits(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW678

# studies.toml
def mixed_study_cell(
    span: Where, *, table: Said, fact: Said, values: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW650
def unknown_study_name(
    span: Where, *, name: Said, key: Said, known: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW652
def name_cut_by_comma(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW653
def other_count_of_printed(
    span: Where, *, row: Said, found: Said, count: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW655
def unscored_condition(span: Where, *, scoring: Said, condition: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW656
def unbound_study_model(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW658
def unfit_pairing(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW792
def pairs_without_comparison(span: Where, *, table: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW793
def too_few_seeds(
    span: Where, *, column: Said, count: Said, condition: Said, seeds: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW794
def power_without_difference(
    span: Where, *, column: Said, table: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW795
def not_a_pass(span: Where, *, name: Said, rubric: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW796
def unknown_compared_line(
    span: Where, *, name: Said, table: Said, known: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW797
def difference_not_shown(
    span: Where, *, shown: Said, procedure: Said, found: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW798
def nothing_that_shows(span: Where, *, shown: Said, procedure: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW799
def trained_and_tested(
    span: Where, *, name: Said, count: Said, other: Said, first: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW809
def unknown_table_line(
    span: Where, *, table: Said, name: Said, known: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW824
def not_of_cases(span: Where, *, table: Said, fact: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW825
def unknown_study_stage(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW826
def bars_without_shares(span: Where, *, table: Said, column: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW827
def sheets_and_grader(span: Where, *, scoring: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW828
def sheets_of_other_rubric(
    span: Where, *, path: Said, rubric: Said, found: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW829
def empty_study_filter(
    span: Where, *, fact: Said, name: Said, known: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW830
def absent_study_input(span: Where, *, name: Said, key: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW913
def unknown_printed_row(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW914
def study_circle(span: Where, *, name: Said, path: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW915
def unreadable_study_words(
    span: Where, *, key: Said, found: Said, known: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW916
def incomplete_study_part(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW917
def unknown_study_figure(
    span: Where, *, rubric: Said, name: Said, known: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW918
def side_table_twice(
    span: Where, *, name: Said, key: Said, first: Said, again: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW919
def side_table_without_key(span: Where, *, name: Said, key: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW920
def nothing_to_take_away(
    span: Where, *, procedure: Said, name: Said, known: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW921
def other_count_of_cases(
    span: Where, *, name: Said, found: Said, expect: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW922
def study_without_runs(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW923
def unknown_study(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW924
def foreign_study_folder(span: Where, *, path: Said, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW925
def unknown_study_model(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW926
def unknown_study_table(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW927
def unplayed_study(span: Where, *, path: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW928

# checks.toml
def unreadable_check(span: Where, *, text: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW780
def unknown_check_list(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW781
def unknown_check_name(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW782
def unknown_check_word(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW783
def check_types(span: Where, *, left: Said, right: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW784
def no_checks_for(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW785
def no_decision_in_run(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW786
def unknown_severity(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW787
def unreadable_tier(span: Where, *, found: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW788
def many_audited_by_one_case(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW789
def case_without_spec(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW790
def check_example(span: Where, *, name: Said, example: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW891

# tests.toml
def test_without_expectation(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW857
def empty_expectation(span: Where, *, key: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW858
def no_tests(span: Where, *, path: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW859
def no_test_called_so(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW860
def unknown_test_answer(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW861
def impossible_test_value(
    span: Where, *, name: Said, value: Said, known: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW862
def unknown_test_outcome(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW863
def unknown_test_rule(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW864
def vain_turn_limit(span: Where, *, found: Said, most: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW865
def unknown_test_side(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW866
def no_repository(span: Where, *, path: Said, reason: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW867
def unknown_revision(span: Where, *, name: Said, known: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW868
def git_failed(span: Where, *, reason: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW869
def no_such_change(
    span: Where, *, path: Said, revision: Said, known: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW870

# norms.toml
def expected_formula(span: Where, **more: Unpack[More]) -> Diagnostic: ...  # LW930
def unknown_norm_name(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW931
def formula_types(span: Where, *, left: Said, right: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW932
def circular_norm(span: Where, *, chain: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW933
def contradicting_rows(span: Where, *, row: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW934
def missing_range(span: Where, *, tier: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW935
def inverted_range(span: Where, *, found: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW936
def example_differs(
    span: Where, *, name: Said, expected: Said, found: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW937
def unknown_cited_article(span: Where, *, cite: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW938
def article_not_in_force(span: Where, *, cite: Said, day: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW939
def unknown_norm_word(span: Where, *, name: Said, words: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW940
def missing_column(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW941
def norms_without_words(span: Where, *, folder: Said, file: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW942
def invalid_fact_value(
    span: Where, *, name: Said, kind: Said, found: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW943
def unreadable_article(span: Where, *, cite: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW944
def overlapping_norms(span: Where, *, name: Said, other: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW945
def norm_without_example(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW946
def unknown_used_norm(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW947
def empty_norm(span: Where, *, name: Said, key: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW948
def article_no_longer_in_force(span: Where, *, cite: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW949
def order_without_object(span: Where, *, order: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW965
def combination_without_most(span: Where, *, penalty: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW966
def overlapping_tiers(
    span: Where, *, tier: Said, below: Said, months: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW967
def gapped_tiers(
    span: Where, *, below: Said, tier: Said, months: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW968
def tier_figures_apart(
    span: Where, *, high: Said, low: Said, what: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW969
def tier_out_of_reach(
    span: Where, *, name: Said, found: Said, below: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW970
def phrase_without_value(span: Where, *, phrase: Said, kind: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW971
def fee_without_sum(span: Where, *, item: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW972
def offence_without_rules(span: Where, *, folder: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW973
def said_without_value(span: Where, *, said: Said, kind: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW974

# snapshots.toml
def unknown_way(span: Where, *, word: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW980
def foreign_snapshots(
    span: Where, *, spec: Said, folder: Said, wanted: Said, **more: Unpack[More]
) -> Diagnostic: ...  # LW981
def unknown_snapshot(span: Where, *, name: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW982
def no_snapshots(span: Where, *, spec: Said, **more: Unpack[More]) -> Diagnostic: ...  # LW983
