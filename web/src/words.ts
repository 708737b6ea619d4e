import type { Boot, Problem, TwoLanguages } from "./types";

/** Every sentence and label for people comes from outside: names, and the sentences that are said for them. */
let words: Readonly<Record<string, string>> = {};
let tongue: Boot["language"] = "en";
let counted = new Intl.NumberFormat("en");

export function speak(boot: Boot, language: Boot["language"]): void {
  words = boot.words[language];
  tongue = language;
  counted = new Intl.NumberFormat(language);
}

const found = (name: string): string | undefined => words[`browser.${name}`] ?? words[`studio.${name}`] ?? words[name];

/** A sentence with its holes filled in, what is counted in the singular where there is one of it. A name that has no sentence is said as it is: it is seen, and mended. */
export function say(name: string, holes: Readonly<Record<string, string | number>> = {}): string {
  return (found(name) ?? name).replace(/\{(\w+)\}(?: (\w+))?/g, (hole, key: string, noun: string | undefined) => {
    const value = holes[key];
    if (value === undefined) return hole;
    const one = value === 1 && noun !== undefined ? words[`singular.${noun}`] : undefined;
    return `${typeof value === "number" ? counted.format(value) : value}${noun === undefined ? "" : ` ${one ?? noun}`}`;
  });
}

/** The label of a value of a closed kind, the value itself where it has none. */
export const label = (kind: string, value: string): string => found(`${kind}.${value}`) ?? found(`${kind}_${value}`) ?? value;
export const told = (sentence: TwoLanguages): string => sentence[tongue];
export const language = (): Boot["language"] => tongue;
export const number = (value: number): string => counted.format(value);
export const amount = (value: number | null): string => (value === null ? "–" : counted.format(value));
export const score = (value: number | null): string => (value === null ? "–" : String(Number(value.toPrecision(4))));
export const money = (value: number | null): string => (value === null ? "–" : `$${value.toFixed(value < 1 ? 4 : 2)}`);

/** What went wrong, as a value that a page can show. */
export class Fault extends Error {
  constructor(
    readonly reason: string,
    readonly problem: Problem | null = null,
  ) {
    super(reason);
  }
}
