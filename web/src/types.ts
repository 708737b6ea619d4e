// Written by tests/support/make_studio_types.py from legalworld/studio/responses*.py. Do not edit.

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** A sentence in both languages of the pages. */
export interface TwoLanguages {
  zh: string;
  en: string;
}

/** A diagnostic, worded. `where`: its place without folders of this machine; `help`: how it is repaired. */
export interface Problem {
  code: string;
  severity: "error" | "warning" | "note";
  where: string;
  text: TwoLanguages;
  help: TwoLanguages;
}

/** The body of every answer that is not 200. */
export interface FailurePage {
  error: Problem;
}

/** Every word of the pages: key -> sentence, in both languages. */
export interface BootWords {
  zh: { [key: string]: string };
  en: { [key: string]: string };
}

/** What a page is begun with. `pack`: base64 of the deflated `Pack` of a published page, "" of a live one. `chosen`: somebody chose the language; else that of the browser goes before it. */
export interface Boot {
  source: "live" | "packed";
  base: string;
  page: "runs" | "run" | "procedure";
  id: string;
  language: "zh" | "en";
  chosen: boolean;
  words: BootWords;
  version: string;
  pack: string;
}

/** A run of the list; `figures` in the order of `RunList.figures`. `live`: somebody is playing it now. Titles are "" where there is none, or it is not known yet. */
export interface RunListRow {
  id: string;
  procedure: string;
  procedure_title: string;
  case: string;
  case_title: string;
  target: string;
  model: string;
  models: string;
  options: string;
  seed: number;
  status: "ended" | "unfinished" | "damaged";
  live: boolean;
  outcome: string;
  ending: string;
  place: string;
  turns: number;
  tokens: number | null;
  figures: (number | null)[];
}

/** A stretch of the list from row `first`; `total`: rows under the query. `writing`: still being read from disk. */
export interface RunList {
  first: number;
  total: number;
  rows: RunListRow[];
  figures: string[];
  damaged: number;
  choices: RunChoices;
  problems: Problem[];
  writing: boolean;
}

/** What the filters offer, of all runs; at most 500 values each. */
export interface RunChoices {
  procedure: string[];
  case: string[];
  model: string[];
  status: string[];
}

/** WordsPage that were searched for, as they were spoken, with a few characters around them. */
export interface SaidHit {
  run: string;
  turn: number;
  line: number;
  speaker: string;
  before: string;
  hit: string;
  after: string;
}

/** `ready`: False while runs are still being indexed; `more`: there may be more than those that are counted. */
export interface SaidList {
  words: string;
  total: number;
  more: boolean;
  hits: SaidHit[];
  ready: boolean;
}

/** A line that came (+), went (-) or changed (~). */
export interface DiffLine {
  mark: "+" | "-" | "~";
  text: string;
}

/** How a run that is followed stands now: it is sent anew whenever something has changed. */
export interface Grew {
  run: string;
  lines: number;
  turns: number;
  calls: number;
  status: "ended" | "unfinished" | "damaged";
  live: boolean;
  torn: boolean;
  place: string;
  tokens: number | null;
  cost: number | null;
}

/** The list of runs has changed: there are more of them, or they have grown. `turns`: of all together. */
export interface ListChanged {
  total: number;
  damaged: number;
  turns: number;
}

/** The folder of a run is gone. */
export interface Gone {
  run: string;
}

/** A published page: address below `d/` -> response; `{"$": n}` stands for `pool[n]`. `files`: page -> its file. */
export interface Pack {
  pool: Json[];
  answers: { [key: string]: Json };
  files: { [key: string]: string };
}

/** Somebody who takes part. `letter`: of his kind in the matrix; `model`: who played his role. */
export interface PersonRow {
  id: string;
  role: string;
  title: string;
  name: string;
  kind: string;
  letter: string;
  side: string;
  model: string;
}

/** A stage or phase that was entered, in order. `line`, `turn`: where; `again`: how often it had begun before. */
export interface PartRow {
  level: "stage" | "phase";
  place: string;
  title: string;
  basis: string[];
  line: number;
  turn: number;
  again: number;
}

/** A date of the calendar, as `lw show` has it. */
export interface CalendarRow {
  name: string;
  title: string;
  day: string | null;
  known: "case" | "reckoned" | "missing";
  places: string[];
}

/** Who played a role. */
export interface ModelRow {
  role: string;
  title: string;
  model: string;
}

/** With what a run was gone on with, from call `turn` on. */
export interface ChangeRow {
  turn: number;
  text: TwoLanguages;
}

/** What is known of a run as a whole. `turns`: speeches, as in the list of runs; `calls`: how often a person was called, the last number of a call. `has`: which of its parts there are; `names`: names of persons are shown. */
export interface RunHead {
  id: string;
  status: "ended" | "unfinished" | "damaged";
  live: boolean;
  torn: boolean;
  procedure: string;
  procedure_title: string;
  locale: string;
  case: string;
  case_title: string;
  target: string;
  seed: number;
  options: { [key: string]: string };
  option_titles: { [key: string]: string };
  models: ModelRow[];
  people: PersonRow[];
  parts: PartRow[];
  calendar: CalendarRow[];
  outcome: string;
  ending: string;
  place: string;
  turns: number;
  calls: number;
  lines: number;
  tokens: number | null;
  cost: number | null;
  lacking: TwoLanguages[];
  adjusted: TwoLanguages[];
  changes: ChangeRow[];
  has: string[];
  problems: Problem[];
  names: boolean;
}

/** Where a text cites law, in UTF-16 code units; `citation`: index in the list of citations. */
export interface CiteMark {
  start: number;
  end: number;
  citation: number;
}

/** A row of the transcript: a heading, a call, or something else that happened. `text` is cut, `length` is not. */
export interface LineRow {
  n: number;
  kind: "stage" | "phase" | "call" | "event";
  event: string;
  place: string;
  turn: number;
  level: string;
  person: string;
  role: string;
  speaker: string;
  act: string;
  asked: "" | "again" | "tools";
  calls: string[];
  said: boolean;
  text: string;
  length: number;
  struck: boolean;
  withheld: string[];
  to: string[];
  heard_by: string[];
  confined: boolean;
  day: string;
  seconds: number | null;
  tokens: number | null;
  model: string;
  doc: string;
  cites: CiteMark[];
  conduct: number;
  scored: number;
}

/** A stretch of the transcript from line `first`. */
export interface LinePage {
  first: number;
  total: number;
  lines: LineRow[];
}

/** A stretch of a long text from character `first` (UTF-16 code units). */
export interface WordsPage {
  turn: number;
  first: number;
  length: number;
  text: string;
}

/** A call. `kept`: its reply as the thread keeps it, where that differs; `came`: what followed from it. */
export interface TurnPage {
  turn: number;
  turns: number;
  line: number;
  row: TurnRow;
  kept: string | null;
  came: CameRow[];
  reads: TwoLanguages | null;
  day: string;
  seconds: number | null;
  place_title: string;
  step: StepRef | null;
}

/** The row of `lw show --turn`, every key set. `answered`: False where no reply came. */
export interface TurnRow {
  turn: number;
  request: string;
  place: string;
  person: string;
  role: string;
  speaker: string;
  act: string;
  heard: string | null;
  asked: "" | "again" | "tools";
  only_calls: string[] | null;
  answered: boolean;
  reply: string;
  thought: string;
  cut: boolean;
  calls: ToolCallRow[];
  provider_data: string;
  model: string;
  prompt_tokens: number | null;
  completion_tokens: number | null;
  cached_tokens: number;
  by: string;
  spoken_from: string[];
  reckoned: { [key: string]: Json };
}

/** A tool called natively. */
export interface ToolCallRow {
  id: string;
  name: string;
  arguments: string;
}

/** An event of the journal, as it stands there. */
export interface CameRow {
  kind: string;
  data: { [key: string]: Json };
}

/** A step as written in the spec. */
export interface StepRef {
  file: string;
  line: number;
  text: string;
}

/** A cell of the matrix as written. `after`: the phase that must be over; `restrictions`: on what it depends. */
export interface CellRef {
  stage: string;
  kind: string;
  letter: string;
  whose: string;
  file: string;
  line: number;
  text: string;
  after: string;
  restrictions: TwoLanguages[];
}

/** A field as it is seen: the row of `lw show --view`, with its title. */
export interface FieldState {
  name: string;
  whose: string;
  title: string;
  entries: { [key: string]: Json }[];
}

/** A field that is seen and why. `since`: the call from which it reads so; `opened`: from which it is seen. */
export interface SeenField {
  state: FieldState;
  cells: CellRef[];
  reason: TwoLanguages;
  fresh: "new" | "changed" | "";
  since: number;
  opened: number;
}

/** A field that is there and not seen, and why not. */
export interface UnseenField {
  name: string;
  whose: string;
  title: string;
  code: "no_cell" | "not_here" | "condition" | "later" | "empty";
  reason: TwoLanguages;
  cells: CellRef[];
}

/** A field seen at the call before, or talk heard before, that is not there any more. */
export interface TakenBack {
  kind: "field" | "words";
  name: string;
  whose: string;
  title: string;
  turn: number;
  reason: TwoLanguages;
  turns: number[];
}

/** What somebody saw at a call, and why; what he did not see, and why not. */
export interface SightPage {
  turn: number;
  person: string;
  speaker: string;
  kind: string;
  letter: string;
  stage: string;
  today: string;
  before: number;
  next: number;
  fields: SeenField[];
  unseen: UnseenField[];
  back: TakenBack[];
}

/** A part of a message. `file`, `line`: where its template stands. */
export interface PartText {
  home: string;
  text: string;
  file: string;
  line: number;
}

/** A message as it was sent. `added`: new with this call. */
export interface PromptMessage {
  role: "system" | "user" | "assistant" | "tool";
  content: string;
  parts: PartText[];
  calls: ToolCallRow[];
  call: string;
  provider_data: string;
  added: boolean;
}

/** All messages of a call, the files that its parts include, and the tools offered natively. */
export interface Prompt {
  turn: number;
  messages: PromptMessage[];
  included: { [key: string]: string[] };
  tools: Json[];
}

/** A field of a memory: a text, or records. */
export interface MemoryFieldRow {
  name: string;
  title: string;
  keys: string[];
  text: string;
  records: { [key: string]: string }[];
}

/** A field written in a call. */
export interface MemoryChange {
  turn: number;
  place: string;
  stage_title: string;
  field: string;
  title: string;
  how: "revise" | "expand" | "drop";
  lines: DiffLine[];
}

/** The memory of the person of a call when it was made. `kept`: False where his kind keeps none. */
export interface MemoryPage {
  turn: number;
  person: string;
  kept: boolean;
  fields: MemoryFieldRow[];
  changes: MemoryChange[];
}

/** A row of `lw show --as`, every key set. */
export interface HeardRow {
  turn: number;
  kind: string;
  place: string;
  phase: string;
  speaker: string;
  text: string;
  title: string;
  who: string[];
  withheld: boolean;
  struck: boolean;
  lines: HeardLine[];
}

/** A line of a record that was read out. */
export interface HeardLine {
  speaker: string;
  text: string;
}

/** All that a person heard. */
export interface HeardList {
  person: string;
  rows: HeardRow[];
}

/** A tool call and what came of it. */
export interface ToolRow {
  turn: number;
  request: string;
  place: string;
  person: string;
  speaker: string;
  tool: string;
  arguments: string;
  refused: string;
  result: string;
}

/** All tool calls of a run. */
export interface ToolList {
  calls: ToolRow[];
  refused: number;
}

/** A rule of conduct or form that was broken. */
export interface ConductRow {
  turn: number;
  request: string;
  place: string;
  person: string;
  speaker: string;
  rule: string;
  title: TwoLanguages;
  detail: string;
}

/** All that were broken. */
export interface ConductList {
  violations: ConductRow[];
}

/** A citation and how it stands; `doc`: the document of the run it stands in, "" where it was spoken. */
export interface CitationRow {
  turn: number;
  line: number;
  place: string;
  request: string;
  person: string;
  speaker: string;
  act: string;
  document: string;
  doc: string;
  doc_title: string;
  side: string;
  written: string;
  normal: string;
  law: string | null;
  article: string | null;
  paragraph: number | string | null;
  item: number | null;
  sub_item: number | null;
  version: string | null;
  former: boolean;
  outcome: string;
  wrong: boolean;
  at: string | null;
  basis: string;
  code: string;
  adopted: string | null;
  since: string | null;
}

/** All citations, as `lw show --citations` has them. */
export interface CitationList {
  law_at: { [key: string]: Json };
  library: { [key: string]: Json };
  all: number;
  wrong: number;
  unknown: number;
  outcomes: { [key: string]: number };
  citations: CitationRow[];
}

/** An article of law on a day; `found`: False where the library has none, with the reason. */
export interface ArticlePage {
  found: boolean;
  law: string;
  article: string;
  at: string;
  title: string;
  since: string;
  until: string;
  text: string;
  problem: Problem | null;
}

/** A place that a check rests on. */
export interface CheckPlace {
  document: string;
  doc: string;
  line: number;
  start: number;
  end: number;
  text: string;
  shown: TwoLanguages;
}

/** A check of a decision. */
export interface CheckRow {
  document: string;
  check: string;
  title: string;
  severity: string;
  part: string;
  result: "alarm" | "held" | "not_held";
  missing: string;
  basis: string;
  places: CheckPlace[];
}

/** All checks of the decisions of a run. */
export interface CheckList {
  rows: CheckRow[];
  problems: Problem[];
}

/** A score, why it is what it is, and the turns it rests on. */
export interface ScoredItem {
  item: string;
  key: string;
  title: string;
  value: number | null;
  gap: string;
  detail: string;
  reason: string;
  raw: string;
  capped: string;
  turns: number[];
  documents: string[];
  by: string;
  parts: { [key: string]: number };
  left_out: number;
  repeats: number[];
  truth: string;
}

/** What a case keeps for scoring, shown to the owner when he asked for it. `at`: when that was noted. */
export interface SealedPage {
  at: string;
  value: Json;
}

/** A message to a grader. */
export interface AskedMessage {
  role: string;
  content: string;
}

/** A question to a grader, word for word, and its reply; `repeat`: how often it was asked before. */
export interface AskedRow {
  question: string;
  repeat: number;
  messages: AskedMessage[];
  reply: string;
}

/** What a grader was asked for one score; nothing where no question is kept. */
export interface AskedPage {
  questions: AskedRow[];
}

/** A figure of an evaluation. `title`: as its rubric has it, "" where that rubric is not at hand. */
export interface FigureRow {
  formula: string;
  title: string;
  value: number | null;
  gap: string;
  detail: string;
}

/** An evaluation beside a run. `title`: of the rubric, "" where it is not at hand as it was. */
export interface EvaluationPage {
  rubric: string;
  title: string;
  grader: string;
  target: string;
  finished: boolean;
  given: boolean;
  figures: FigureRow[];
  passes: { [key: string]: boolean | null };
  scores: ScoredItem[];
}

/** All evaluations. */
export interface ScoreList {
  evaluations: EvaluationPage[];
  problems: Problem[];
}

/** A decision in words, and as a record. */
export interface DecisionPage {
  name: string;
  title: string;
  doc: string;
  text: TwoLanguages;
  record: { [key: string]: Json };
}

/** The decisions of a run. */
export interface DecisionList {
  decisions: DecisionPage[];
}

/** A document as it was drafted once. `last`: no later version replaces it. */
export interface DocRow {
  name: string;
  document: string;
  title: string;
  side: string;
  person: string;
  speaker: string;
  place: string;
  turn: number;
  line: number;
  day: string;
  source: "reply" | "case" | "replaced" | "minutes";
  cut: boolean;
  missing: string[];
  unlisted: string[];
  last: boolean;
}

/** All documents, in the order of drafting. */
export interface DocList {
  docs: DocRow[];
}

/** A style of the layout: sizes in points, indent and margin in characters. */
export interface DocStyle {
  name: string;
  font: string;
  size: number;
  align: string;
  indent: number;
  margin: number;
  before: number;
  after: number;
  line: number;
  bold: boolean;
  color: string;
}

/** A paragraph and its style. */
export interface DocParagraph {
  style: string;
  text: string;
}

/** A document as its Word file looks. `page` in centimetres; `changed`: against the version before. */
export interface DocPage {
  row: DocRow;
  history: DocRow[];
  page: { [key: string]: number };
  styles: { [key: string]: DocStyle };
  footer: string;
  paragraphs: DocParagraph[];
  text: string;
  changed: DiffLine[];
}

/** A procedure that can be looked at. `project`: it is one of the project, not only of runs. */
export interface ProcedureRow {
  name: string;
  title: string;
  runs: number;
  project: boolean;
}

/** All of them. */
export interface ProcedureList {
  procedures: ProcedureRow[];
}

/** What a procedure is called. `locale`: of its own words. */
export interface ProcedureHead {
  name: string;
  title: string;
  locale: string;
}

/** A column of a table, or a choice. */
export interface MatrixHead {
  id: string;
  title: string;
}

/** An open cell, its footnotes and where it is written. */
export interface MatrixCell {
  stage: string;
  kind: string;
  letter: string;
  whose: string;
  notes: number[];
  file: string;
  line: number;
  text: string;
}

/** What is seen. */
export interface MatrixRow {
  what: string;
  whose: string;
  title: TwoLanguages;
  cells: MatrixCell[];
}

/** The visibility matrix. */
export interface MatrixPage {
  name: string;
  title: string;
  stages: MatrixHead[];
  kinds: MatrixKind[];
  rows: MatrixRow[];
  notes: TwoLanguages[];
  unseen: TwoLanguages[];
  scoring: TwoLanguages[];
}

/** A kind of person, its letter and its roles. */
export interface MatrixKind {
  id: string;
  letter: string;
  roles: string[];
}

/** Why a kind of person sees something in a stage, or why not. */
export interface WhyPage {
  what: string;
  whose: string;
  kind: string;
  stage: string;
  seen: boolean;
  reasons: TwoLanguages[];
  cells: CellRef[];
  elsewhere: CellRef[];
}

/** The graph of a procedure. `runs`: whose ways are drawn on it; `elsewhere`: places it does not have. */
export interface GraphPage {
  name: string;
  depth: "stage" | "phase" | "step";
  svg: string;
  runs: number;
  elsewhere: string[];
}

/** A block of the protocol: names with values, sentences, or a table with `heads`. */
export interface ProtocolBlock {
  kind: "facts" | "lines" | "table";
  title: string;
  rows: string[][];
  heads: string[];
  warn: boolean;
}

/** A section of the protocol. */
export interface ProtocolSection {
  anchor: string;
  title: string;
  blocks: ProtocolBlock[];
}

/** A procedure as a protocol. */
export interface ProtocolPage {
  name: string;
  title: string;
  subtitle: string;
  sections: ProtocolSection[];
}

/** A line of the protocol as one role meets it. */
export interface PathStep {
  place: string;
  number: string;
  depth: number;
  who: string;
  what: string[];
  part: "acts" | "hears" | "";
  limit: string[];
  basis: string[];
  next: string;
  file: string;
  line: number;
  came: number;
}

/** The path of one role through a procedure. */
export interface PathPage {
  name: string;
  role: string;
  title: string;
  roles: MatrixHead[];
  steps: PathStep[];
}

/** A branch of a procedure and how many runs came there. `title`: that of the part, else who does what there. */
export interface CoverageRow {
  place: string;
  title: TwoLanguages;
  kind: string;
  file: string;
  line: number;
  came: number;
  missed: boolean;
}

/** Which branches chosen runs came to. */
export interface CoveragePage {
  name: string;
  runs: number;
  rows: CoverageRow[];
  reached: number;
  all: number;
}
