import { z } from 'zod'
import type { StaffArea } from '../accounts/permissions.ts'

/** Worst first: calls fail, money is lost or calls will fail, a decision waits. */
export const cardSeverities = ['bad', 'warn', 'note'] as const
export type CardSeverity = (typeof cardSeverities)[number]

/**
 * A value in a sentence, formatted by the screen or mail that shows it: texts as they are, and names with the number of all, integers, quota units, dollars
 * as `money`, shares, and unix seconds as a day of UTC or as a moment in the reader's zone.
 */
export const sentenceValue = z.union([
  z.string(),
  z.object({ names: z.array(z.string()), all: z.int() }),
  z.object({ count: z.int() }),
  z.object({ quota: z.int() }),
  z.object({ money: z.number() }),
  z.object({ share: z.number() }),
  z.object({ day: z.int() }),
  z.object({ moment: z.int() }),
])
export type SentenceValue = z.output<typeof sentenceValue>

const pair = z.object({ zh: z.string(), en: z.string() })

/** A text in both sources, with `{{name}}` for each value; further languages find it by the English one. */
export const sentence = z.object({ text: pair, values: z.record(z.string(), sentenceValue) })
export type Sentence = z.output<typeof sentence>

/** Words of a card that another part of the product brings, and the page that its button opens. */
export const siteCardWords = z.object({
  fact: sentence,
  consequence: sentence.optional(),
  button: pair,
  path: z.string(),
  search: z.record(z.string(), z.string()).optional(),
})
export type SiteCardWords = z.output<typeof siteCardWords>

/** A card about the site, which needs a decision. */
export interface SiteCard {
  readonly severity: CardSeverity
  /** Objects of the card: the same ones make the same card. */
  readonly about: readonly (string | number)[]
  readonly words: SiteCardWords
  /** Cause as the database has it; empty for none. */
  readonly reason: string
  /** Unix seconds since when, or until when, it is so. */
  readonly at: number
}

/** A rule about the site that a part of the product brings; the start page and its notices show its cards. */
export interface SiteCardRule {
  /** Unique among all rules. */
  readonly name: string
  /** Administrators who may not read this area do not see its cards. */
  readonly area: StaffArea
  /** True where its own part sends a notice at once. */
  readonly isNoticed?: true
  /** Cards of a moment in unix seconds, the worst first. Reads small tables or indexes alone. */
  read(now: number): Promise<readonly SiteCard[]>
}
