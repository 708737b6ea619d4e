"""The kinds of contradiction: what plants each, and which checks would be right to find it.

The checks were chosen by their titles, as `lw audit` tells them, before any plant was audited.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator

from planting import civil, course, criminal, english, liable
from planting.paper import Paper, Plant

Planter = Callable[[Paper, random.Random], Iterator[Plant]]

KINDS: dict[str, tuple[Planter, frozenset[str]]] = {
    planter.__name__: (planter, frozenset(right.split()))
    for planter, right in (
        (civil.over_claim, "within_claim within_all_claims"),
        (civil.order_unlike_reasons, "sum_is_told sum_is_found adds_up granted_in_reasons"),
        (civil.ten_thousand_slip, "within_claim within_all_claims sum_is_told sum_is_found adds_up"),
        (civil.other_currency, "one_currency"),
        (civil.sides_swapped, "right_direction"),
        (civil.pays_himself, "nobody_pays_himself right_direction"),
        (civil.freed_yet_ordered, "nobody_freed_pays denied_in_reasons"),
        (civil.stranger_pays, "parties_only names_who"),
        (civil.name_misspelt, "parties_only names_who"),
        (civil.wrong_title, "titles_fit parties_only"),
        (civil.granted_left_out, "granted_in_reasons every_claim reasons_granted award_is_ordered"),
        (civil.all_dismissed, "granted_in_reasons every_claim reasons_granted"),
        (civil.granted_and_all_dismissed, "granted_in_reasons denied_in_reasons every_claim not_all_dismissed"),
        (civil.denied_yet_ordered, "denied_in_reasons nobody_freed_pays denied_sum"),
        (civil.claim_forgotten, "every_claim granted_in_reasons"),
        (civil.total_wrong, "adds_up sum_is_told sum_is_found"),
        (civil.no_deadline, "says_when"),
        (civil.misquoted_claim, "claims_as_made"),
        (civil.costs_do_not_add, "costs_whole"),
        (civil.costs_on_winner, "costs_follow"),
        (civil.interest_base, "interest_base"),
        (civil.interest_rate, "interest_rate"),
        (civil.interest_start, "interest_start"),
        (course.heard_after_judged, "heard_before_judged"),
        (course.filed_after_heard, "filed_before_heard"),
        (course.final_at_first, "first_can_be_appealed"),
        (course.appeal_from_final, "second_is_final"),
        (course.absent_yet_there, "here_or_not absent_are_silent"),
        (course.absent_speaks, "here_or_not absent_are_silent"),
        (course.rejected_yet_found, "not_on_rejected"),
        (course.below_item_not_there, "items_exist"),
        (course.below_item_forgotten, "items_have_a_fate"),
        (course.below_number_wrong, "numbers_known same_number_below"),
        (criminal.term_above, "term_not_above"),
        (criminal.long_on_probation, "probation_term"),
        (criminal.probation_out_of_range, "probation_length"),
        (criminal.fine_left_out, "fine_imposed"),
        (criminal.fine_unknown, "fine_known"),
        (criminal.other_charge, "charge_is_reasoned article_cited"),
        (criminal.article_left_out, "article_cited"),
        (criminal.accused_forgotten, "everybody_judged"),
        (criminal.days_wrong, "days_fit_term"),
        (criminal.recidivist_on_probation, "no_probation_for_recidivists"),
        (
            criminal.acquitted_yet_convicted,
            "charge_is_reasoned granted_in_reasons denied_in_reasons everybody_judged convicted_in_reasons",
        ),
        (criminal.convicted_yet_acquitted, "charge_is_reasoned denied_in_reasons acquitted_in_reasons"),
        (criminal.reasons_acquit, "charge_is_reasoned denied_in_reasons acquitted_in_reasons"),
        (criminal.heavier_on_appeal, "not_heavier fine_not_heavier"),
        (liable.payer_left_out, "payers_ordered"),
        (liable.payee_left_out, "payees_ordered"),
        (liable.joint_made_several, "joint_is_kept"),
        (english.en_over_claim, "within_claim within_all_claims"),
        (english.en_order_unlike_reasons, "sum_is_told sum_is_found adds_up granted_in_reasons"),
        (english.en_total_wrong, "adds_up"),
        (english.en_sides_swapped, "right_direction"),
        (english.en_pays_himself, "nobody_pays_himself right_direction"),
        (english.en_other_currency, "one_currency"),
    )
}


def plants(kind: str, papers: Iterable[Paper], draw: random.Random, most: int) -> list[Plant]:
    """Up to `most` plants of a kind, taken in turn from every paper that has a place for it."""
    planter = KINDS[kind][0]
    of_each = [list({one.text: one for one in planter(paper, draw)}.values()) for paper in papers]
    of_each = [found for found in of_each if found]
    draw.shuffle(of_each)
    taken: list[Plant] = []
    while of_each and len(taken) < most:
        for found in list(of_each):
            if len(taken) < most:
                taken.append(found.pop(draw.randrange(len(found))))
            if not found:
                of_each.remove(found)
    return taken
