"""The functions that make diagnostics, one for each message, named as its entry in `wording.diagnostics` is.

    diagnose.unknown_role(word.span, name=word.text, among=roles)

They take the place (or the name of what has no lines, such as an option), what fills the holes of the sentences, and
`also` and `severity` as a `Diagnostic` does. `nearest`, the name that may have been meant, is sought among `among`, by
default among `known`. The types stand in the stub beside this file, so that a hole left open is a type error. Stub and
table are made by `make bless`; the sentences themselves are read when there is one to say.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial
from typing import Any, Final

from ..model.diagnostics import Diagnostic
from ..model.source import Span
from .spelling import nearest

_NAMES: Final = """
LW001=wrong_encoding LW002=invalid_utf8 LW003=invisible_character LW004=file_beyond_limits LW005=empty_file
LW006=unusual_whitespace LW007=fullwidth_colon LW008=missing_space_after_colon LW009=duplicate_key
LW010=yaml_tag_or_anchor LW011=unquoted_indicator LW012=unquoted_hash LW013=unintended_continuation
LW014=malformed_quotes LW015=second_colon LW016=invalid_indentation LW017=neither_key_nor_item
LW018=yaml_document_marker LW019=invalid_yaml LW306=unclosed_bracket LW307=lone_name LW308=missing_comma
LW020=empty_sentence LW021=sentence_too_complex LW022=colon_in_sentence LW023=expected_actor LW024=expected_verb
LW025=expected_role LW026=expected_term LW027=expected_value LW028=expected_condition LW029=expected_keyword
LW030=trailing_words LW031=program_operator LW032=braces_in_sentence LW033=unexpected_sign LW034=invalid_token
LW035=ambiguous_sentence LW036=missing_word LW037=mixed_and_or LW038=wrong_actor_count LW039=number_out_of_range
LW294=meant_onward LW295=unnamed_answer LW392=expected_count
LW040=expected_mapping LW041=unknown_key LW042=missing_key LW043=missing_sentence LW044=wrong_value_shape
LW045=missing_file LW046=file_outside_project LW047=circular_include LW048=duplicate_name LW049=reserved_name
LW050=malformed_matrix_line LW051=uneven_matrix_row LW052=empty_matrix LW053=unknown_matrix_stage
LW054=unknown_matrix_row LW055=unknown_matrix_letter LW056=unknown_matrix_phase LW057=inapplicable_conduct_rule
LW058=invalid_name_sign LW059=unfit_each LW060=unknown_role LW061=unknown_kind LW062=unknown_field
LW063=unknown_document LW064=unknown_part LW065=missing_part_argument LW066=unknown_part_argument
LW067=misplaced_perform LW068=else_without_if LW069=unexpected_step_key LW070=missing_turn_limit LW071=missing_step_key
LW072=mismatched_step_content LW073=ambiguous_role LW074=expected_yes_or_no LW075=unknown_persona LW076=unknown_stage
LW077=unknown_choice LW078=unsupported_version LW079=expected_number LW080=sealed_field_granted
LW081=field_overlaps_sealed LW082=sealed_field_used LW083=unknown_field_key LW084=unauthorized_read
LW085=wrong_view_path LW086=unknown_view_name LW087=missing_step_template LW088=not_yet_created LW089=unreachable_step
LW090=uncast_actor LW091=unsayable_token LW092=misplaced_token_hole LW093=ambiguous_token LW094~unused_field
LW095~unused_declaration LW096=never_created LW097=excessive_turns LW098~empty_declaration LW099~incomplete_citation
LW293~unsaid_locale LW390=key_in_two_spellings LW391~unlisted_law LW393=case_for_procedure LW720=step_called_like_people
LW721=role_called_like_kind LW722=reserved_template_name LW723=unsaid_party LW742=fullwidth_sign
LW743=unfit_number_of_persons LW744=unfit_person_name LW745=unfit_represented_role LW746=unfit_target
LW747=unfit_role_condition LW748=unfit_alongside LW890=unknown_decision
LW100=unreadable_template LW101=unpaired_tag LW102=unknown_tag LW103=forbidden_assignment LW104=forbidden_call
LW105=unsupported_syntax LW106=computed_name LW107=unknown_filter_or_test LW108=misused_filter_or_test
LW109=unknown_template_name LW110=unknown_template_key LW111=unprintable_value LW112=expected_template_list
LW113=shadowed_name LW114=missing_template LW115=circular_template_include LW116=template_too_complex
LW117=unexpected_template_sign LW118=template_limit_exceeded LW119=misplaced_template_name LW450=missing_figure_table
LW451=unreadable_payment LW452=invalid_table_date LW578=two_currencies LW579~money_of_another_currency
LW904=unknown_list_of_words
LW120=invalid_json LW121=sealed_override LW122=unknown_record LW123~unspecified_record LW124=unsettable_field
LW125=excessive_nesting LW126=missing_required_field LW127=expected_record LW128=expected_text LW129~unused_case_key
LW130=unrecognized_case_format LW131=missing_case_records LW132=binding_for_other_procedure LW133=unknown_case_field
LW134=unspecified_side LW135=unknown_record_key LW136=invalid_path LW137=invalid_binding_rule
LW138=binding_overlaps_sealed LW139=unmatched_binding_rule LW243~amended_record_is_another LW244~amended_alone
LW330~unused_case_entries LW490=invalid_case_date LW610=amended_from_no_place LW750=unknown_persona_dimension
LW751=unknown_persona_level LW975=unamendable_field LW976=amended_field_used LW977=amendment_with_own_form
LW978=amendment_without_start LW979~amendment_never_comes
LW140=damaged_journal_line LW141=unsupported_journal_line LW142=busy_run_folder LW143=folder_not_empty
LW144=missing_run_folder LW145=unreadable_run_yaml LW146=missing_run_key LW147=invalid_run_key
LW148=unsupported_run_format LW149=altered_run_copies LW150=inaccessible_path LW151=unknown_procedure LW152=unknown_case
LW153=unknown_binding LW154=link_outside_project LW155=oversized_file LW156=not_a_folder LW157=missing_run_file
LW158=damaged_run_file LW159=altered_run_yaml LW194=missing_prompt_line LW574~unmatched_party
LW590~sum_of_two_currencies LW640=undeclared_marks LW690=undecided_question LW740=missing_named_file
LW741=borrowed_wording LW987~ended_without_document
LW160=missing_api_key LW161=unknown_provider LW162=invalid_api_key LW163=uncallable_model LW164=invalid_api_address
LW165=rejected_api_key LW166=unknown_model LW167=context_too_long LW168=refused_content LW169=refused_request
LW170=failed_service LW171=rate_limited LW172=failed_connection LW173=model_deadline_exceeded
LW174=malformed_model_answer LW175=unsupported_tools LW176=empty_model_answer LW177=exhausted_quota LW178=budget_spent
LW301=no_provider_batches LW698=conflicting_api_addresses LW699=strayed_request
LW179=model_against_record LW180=diverging_replay LW181=unplayed_role LW182=unknown_model_role LW183=unknown_option
LW184=unknown_option_choice LW185=invalid_target LW186=unknown_place LW187=unknown_replaced_document
LW188=unreached_place LW189=missing_equals_sign LW190=invalid_record_number LW191=missing_recorded_reply
LW192=missing_case LW193=ambiguous_binding LW195=unknown_call LW196=unknown_person LW197=unknown_party
LW198=unknown_profile LW199=internal_error LW200=unknown_offline_actor LW201=place_already_passed
LW202=document_not_yet_written LW203=unknown_command LW204=unknown_command_option LW205=missing_command_argument
LW206=invalid_option_number LW207=missing_option_value LW208=invalid_usage LW209=unknown_stage_or_phase
LW300=unknown_tool_mode LW412=unknown_given_answer LW413=impossible_given_answer LW414=unknown_given_answer_subject
LW415~given_answer_to_model LW416=given_answer_to_nobody LW417~unused_given_answer LW418=malformed_given_answer
LW419=contradicting_given_answers LW420=malformed_given_answers LW573=named_no_party LW612=repeated_name_value
LW680=place_left_out LW681=place_ruled_out LW682=place_comes_once LW683=place_missed LW684=run_budget_spent
LW685~tools_called_in_words LW686~tools_called_natively LW687=change_of_ended_run LW688=grader_budget_spent
LW749=invalid_option_choice LW777=ambiguous_person
LW210=unknown_law LW211=missing_law_text LW212=repealed_law LW213=law_not_yet_in_force LW214=missing_law_version
LW215=unknown_article LW216=unknown_article_part LW217=invalid_option_value LW218=amended_article LW219=ambiguous_law
LW220=invalid_article_number LW221=unimportable_path LW222=missing_library LW223=unrecognized_law
LW224~discontinuous_articles LW225=conflicting_law_files LW226~assumed_effective_date LW227=busy_library
LW228=unusable_library LW229=empty_library_case
LW230=unknown_run_document LW231=missing_libreoffice LW232=unknown_layout_name LW233=invalid_word_file
LW234=failed_pdf_conversion LW235=unreadable_document LW236=unknown_wording_folder LW237~misplaced_template
LW238=untold_field
LW240=unknown_decided_part LW871=undeclared_part LW872=votes_without_place LW873~undecided_part LW874~decided_twice
LW875=drafted_before_decided LW876~unread_part LW877=decided_by_several LW950=decided_for_others LW951=absent_norms
LW952~decided_by_words
LW241=run_of_other_procedure LW242=nothing_to_watch LW463=lacking_command_library LW464=edit_of_shipped_file
LW581=no_such_name LW727=unknown_code LW728=table_without_mark LW729=unformatted_file LW730=layout_changes_meaning
LW731=unwritable_encoding LW732=nothing_to_rename LW733=unfit_name LW734=rename_is_ambiguous
LW735=rename_reaches_elsewhere LW736~step_without_basis LW737~dead_branch LW791=strict_of_no_procedure
LW846=file_not_in_revision LW847=nothing_to_compare LW896=keywords_not_known LW897=keywords_change_meaning
LW245~untaken_content LW510~odd_name LW511~long_claim LW512~court_words LW513~outcome_shown LW514~mostly_empty
LW515=record_not_an_object LW516~record_of_other_binding LW611~further_records LW642~path_stopped LW643=refused_record
LW644=invalid_refusal LW800~odd_shape LW801=unknown_shape LW802=invalid_shape LW803~decision_shown
LW804=lacking_document LW805=repeated_column LW806=invalid_join LW807=missing_joined_key LW808~several_joined
LW910~fallback_taken LW911~unlisted_text LW912~value_said_twice
LW260=unknown_checklist LW261=expected_list_field LW262=conflicting_review_keys LW263=unknown_earlier_phase
LW264=too_few_drafts LW265=reversed_score_range LW266=empty_checklist LW267=review_of_silent_actor
LW268=review_of_oneself LW269=unseen_topics LW270=missing_construct_key LW271=indistinct_speakers
LW272=unanswered_question LW273=repeated_list_item LW274=empty_list LW275=unsettled_role_condition
LW276=part_of_steps_and_phases LW277=mismatched_argument LW278=circular_part LW279=too_many_parts_performed
LW460=repeated_reviewer LW461=circular_representation LW462=repeated_part LW725=unknown_hole LW726~prompts_alike
LW986~several_leaders
LW280=unknown_operation LW281=unknown_role_or_kind LW282=unknown_act LW283=unknown_tool_parameter LW284=undeclared_tool
LW287=unknown_memory_key LW288=invalid_write_mode LW289=mismatched_skill_card LW290=unwritable_memory
LW291~unusable_skill LW712=changing_memory_field
LW292~absent_after_leaving LW422~never_absent LW423~never_leaves LW470=kept_out_actor LW471=empty_room
LW472=nothing_to_read LW473~needless_entrance LW474=unread_phase LW475=later_minutes LW476~overheard_talk
LW575=answer_names_no_party LW580~hears_this_alone LW770~let_in_unawares LW771~vain_attendance LW772~sent_out_in_vain
LW775~named_no_parties LW776~replaced_in_a_loop
LW302=unread_truth LW303~unread_figure LW304~unasked_word LW305~word_for_nothing LW309~impossible_day_in_text
LW424=circular_type LW425=never_of_its_type LW576=no_type_of_answers LW577=answer_of_two_forms LW752=unknown_value_type
LW753=unfit_type_setting LW754=invalid_amount LW755=invalid_rate LW756=invalid_date LW757=impossible_date
LW758=invalid_number LW759=ambiguous_value LW760=value_out_of_range LW761=foreign_currency LW762=mixed_currencies
LW763=invalid_choice_value LW764~unresolved_reference LW765=duplicate_value LW766~circular_reference
LW767=expected_single_value LW768=unfit_comparison LW769=unfit_date_source LW989=unlike_units
LW310=unreadable_rubric_sentence LW311=rubric_sentence_too_complex LW312=unknown_function LW313=invalid_rubric_name
LW314=invalid_missing_setting LW315=unreadable_range LW316=unknown_scoring_rule LW317=unknown_rule_argument
LW318=unknown_item_or_formula LW319=repeated_name LW320=formula_outside_range LW321=invalid_direction
LW322=unknown_item_part LW323=unknown_rubric_place LW324=unknown_rubric LW325=unknown_grader_name
LW326=rubric_for_other_procedure LW327~unfinished_run LW328=unreadable_scores LW329=unknown_scale LW331=missing_rubric
LW332=missing_rubric_scores LW333~outdated_scores LW334=unknown_grouping_field LW335=unwritable_scores
LW336=division_by_zero LW337=unscored_run LW338=unwritable_file LW339=unknown_report_grader LW374=altered_scores
LW375~scores_of_another_record LW520=unknown_cutoff_model LW521=unreadable_cutoff LW522=mixed_overall
LW710=unknown_condition_fact LW711=unknown_dataset_role
LW340=invalid_pair_scale LW341=unsuitable_rubric LW342=sheets_already_exported LW343~assumed_gbk_encoding
LW345=unreadable_sheet LW346=oversized_sheet LW347=empty_sheet LW348=missing_sheet_column LW349=invalid_rating
LW350=conflicting_ratings LW351=unknown_rating_id LW352=sheet_of_other_export LW353~empty_ratings
LW354=missing_rating_key LW355=unreadable_rating_key LW356=missing_path LW357=unpaired_runs LW358~model_named_in_record
LW359~changed_since_export
LW360=unknown_section LW361=undeclared_intervention LW362=invalid_change LW363=swap_with_itself LW364=unwritten_document
LW365=unknown_intervention_name LW366=missing_stage_figure LW367=interventions_for_other_procedure
LW368=unknown_interventions LW369=conflicting_study_folder LW370~inapplicable_intervention LW371=outdated_intervention
LW372=empty_writer_reply LW373=invalid_comparison_side
LW380=unknown_event_place LW381=conflicting_event_keys LW382=unraisable_event LW383=unknown_continuation
LW384~self_raising_event LW385=unseen_intention LW386=ambiguous_event_token LW387=idle_objection LW388=invalid_ruling
LW984=several_rulers
LW400=circular_extends LW401=unknown_extended_procedure LW402=misplaced_extends LW403=changes_without_extends
LW404=mismatched_change_content LW405=misplaced_change_content LW406=unknown_change_target LW407=conflicting_change
LW408=inherited_name LW409=removed_name_used LW410=mismatched_insertion LW411~lost_wording
LW421=average_of_no_number LW440=unasked_answer LW441=expected_numbers LW443=unfit_tie LW444=uncountable_answer
LW445=faction_of_no_vote LW447~faction_shows_itself LW448~never_carried LW449~last_answer_alone LW453=title_of_no_choice
LW454=shared_title LW455=unsayable_title LW456~untitled_answer LW457~title_of_no_answer LW465=person_as_word
LW466=choice_of_one LW467~limit_beyond_list LW468=choice_of_no_choice LW491=circular_choice LW492=talk_of_one
LW724=followed_without_vote LW773~last_vote_alone LW774~single_votes_counted LW841=value_of_several
LW842=several_deciders LW985=unsaid_choice
LW430=studio_run_gone LW431=no_such_studio_page LW432=unreadable_studio_query LW433=studio_busy LW434=studio_error
LW435=studio_port_taken LW436=no_studio_host LW437=secret_in_published LW438=site_folder_not_empty
LW480=unknown_date LW481=circular_dates LW482=date_from_nowhere LW483=rolling_without_reckoning
LW484=unsuitable_date_field LW485=unknown_holidays LW486~weekends_alone LW487=day_already_past LW488~day_may_be_missing
LW489=date_shown_beyond_field LW988~unknown_working_days
LW500=other_run_in_folder LW501=case_named_twice LW502=run_failed LW503=oversized_record LW504=cut_archive
LW505=case_timed_out LW506=worker_crashed LW507=invalid_limit LW508=unknown_price LW509=busy_batch LW540=invalid_price
LW541=no_batch LW542=damaged_batch_file LW543=unreachable_cluster LW544=lost_cluster LW545=worker_not_started
LW546=full_cluster LW547=address_as_folder LW548=unusable_address LW549=missing_store_library LW550=unstored_run
LW551=unreachable_store LW552=store_in_use LW553=damaged_stored_file LW554=store_of_one_process
LW530=unknown_run_column LW531=unreadable_run_condition LW532=number_in_run_condition LW533=no_folder_of_runs
LW560=invalid_card_name LW561=taken_card_name LW562=spec_outside_specs LW563=nobody_to_reflect LW564=unknown_figure
LW565=conflicting_growth_session LW566=missing_growth_session LW567=reflected_case_held_out LW568=card_tells_of_case
LW569=no_card_grown LW570=oversized_card
LW600=missing_extra LW601=no_judgment_text LW602=unknown_corpus_step LW603=unreadable_records LW604=no_corpus
LW605=unreadable_table_row LW606=changed_corpus_step LW607=binding_not_civil
LW613=unreadable_project_file LW614=other_project_form LW615=unknown_project_key LW616=project_key_no_text
LW617~project_of_another_version LW700=altered_run_file LW701=irregular_file LW702=unwritable_output
LW703=altered_batch_record LW704=shortened_batch_record LW705=altered_batch_command LW706=run_against_batch
LW707=nothing_to_rate LW708=no_readable_file LW709=repeated_run LW820=foreign_format LW821=unreadable_word_file
LW822=wordless_document LW823~unread_american_citations
LW620=cost_without_model LW621=invalid_reply_length LW622=nested_form LW630=unsafe_archive LW631=secret_in_archive
LW632=sealed_in_archive LW633=other_file_in_archive LW634=missing_optional_library LW635=untimed_run
LW636=trace_not_sent
LW623=failed_adapter LW878=missing_actor LW879=failed_actor LW880=strange_actor_reply LW881=missing_frame_library
LW882~broken_plugin LW883~shadowing_plugin LW884~unregistered_part LW885=lacking_library
LW641=unreadable_call_form LW660=key_in_file LW661=unknown_model_set LW662=circular_fallbacks LW663=model_name_is_route
LW664=invalid_model_name LW665=invalid_key_variable LW666=invalid_model_address LW667=reserved_extra LW668=unnamed_model
LW669=unknown_parameter LW670~changed_model_entry LW671~habits_of_no_model LW672~habits_of_other_model
LW673~other_model_answers LW674~unreadable_env_line LW675~fallback_answers LW676=model_not_tried LW677=untriable_model
LW678~damaged_habits
LW650=mixed_study_cell LW652=unknown_study_name LW653=name_cut_by_comma LW655=other_count_of_printed
LW656=unscored_condition LW658~unbound_study_model LW792=unfit_pairing LW793=pairs_without_comparison
LW794=too_few_seeds LW795=power_without_difference LW796=not_a_pass LW797=unknown_compared_line
LW798=difference_not_shown LW799=nothing_that_shows LW809=trained_and_tested LW824=unknown_table_line LW825=not_of_cases
LW826=unknown_study_stage LW827=bars_without_shares LW828=sheets_and_grader LW829=sheets_of_other_rubric
LW830=empty_study_filter LW913~absent_study_input LW914=unknown_printed_row LW915=study_circle
LW916=unreadable_study_words LW917=incomplete_study_part LW918~unknown_study_figure LW919=side_table_twice
LW920=side_table_without_key LW921=nothing_to_take_away LW922~other_count_of_cases LW923=study_without_runs
LW924=unknown_study LW925=foreign_study_folder LW926=unknown_study_model LW927=unknown_study_table LW928=unplayed_study
LW780=unreadable_check LW781=unknown_check_list LW782=unknown_check_name LW783=unknown_check_word LW784=check_types
LW785=no_checks_for LW786~no_decision_in_run LW787=unknown_severity LW788=unreadable_tier LW789=many_audited_by_one_case
LW790=case_without_spec LW891=check_example
LW857=test_without_expectation LW858=empty_expectation LW859=no_tests LW860=no_test_called_so LW861=unknown_test_answer
LW862=impossible_test_value LW863=unknown_test_outcome LW864=unknown_test_rule LW865=vain_turn_limit
LW866=unknown_test_side LW867=no_repository LW868=unknown_revision LW869=git_failed LW870=no_such_change
LW930=expected_formula LW931=unknown_norm_name LW932=formula_types LW933=circular_norm LW934=contradicting_rows
LW935=missing_range LW936=inverted_range LW937=example_differs LW938=unknown_cited_article LW939=article_not_in_force
LW940=unknown_norm_word LW941=missing_column LW942=norms_without_words LW943=invalid_fact_value LW944=unreadable_article
LW945=overlapping_norms LW946~norm_without_example LW947=unknown_used_norm LW948=empty_norm
LW949=article_no_longer_in_force LW965=order_without_object LW966=combination_without_most LW967~overlapping_tiers
LW968~gapped_tiers LW969=tier_figures_apart LW970=tier_out_of_reach LW971=phrase_without_value LW972=fee_without_sum
LW973=offence_without_rules LW974=said_without_value
LW980=unknown_way LW981=foreign_snapshots LW982=unknown_snapshot LW983=no_snapshots
"""


def code_of(kind: partial[Diagnostic]) -> str:
    """The code of the problems that a function of this module makes, to know one by."""
    code: str = kind.args[0]
    return code


def codes_of(*kinds: partial[Diagnostic]) -> frozenset[str]:
    return frozenset(map(code_of, kinds))


def _problem(code: str, span: Span | str, /, among: Iterable[str] = (), **told: Any) -> Diagnostic:
    more = {name: told.pop(name) for name in ("nearest", "also", "severity") if name in told}
    among = among or told.get("known", ())
    if among and "nearest" not in more and "name" in told:
        more["nearest"] = nearest(str(told["name"]), among)
    return Diagnostic(code, Span(span, 0, 0) if isinstance(span, str) else span, told, **more)


for _code, _mark, _name in re.findall(r"(\w+)([=~])(\w+)", _NAMES):
    globals()[_name] = partial(_problem, _code, **({"severity": "warning"} if _mark == "~" else {}))
