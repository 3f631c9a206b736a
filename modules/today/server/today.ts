import {
  type Language,
  type OwnToday,
  permits,
  type SiteToday,
  type TodayCard,
  type TodaySums,
} from '@tollgate/contract'
import type { ConsoleCaller } from '#server/http/route.ts'
import { createBoundedCache } from '#server/lib/caches/bounded-cache.ts'
import { type Clock, unixSeconds } from '#server/lib/clock.ts'
import { readCause } from '#server/lib/json/stored-cause.ts'
import type { SourceVersion } from '#server/relay/plan/source-version.ts'
import type { FigureSums } from '#server/reports/figures/figures.ts'
import { type Hours, readerDays, sumsIn } from './days.ts'
import { readOwn } from './own/own-cards.ts'
import { lookAt, type RuleKit, type StoredCard } from './rules/rule.ts'
import { type RuledCard, readCards } from './rules/rules.ts'
import type { Snoozes } from './snoozes.ts'

export interface TodayParts extends RuleKit {
  /** Cards are read anew once channels, options or limits were changed. */
  readonly sources: Pick<SourceVersion, 'now'>
  readonly snoozes: Snoozes
  readonly clock: Clock
  /** A rule that could not be read. */
  failed(rule: string, error: unknown): void
}

export interface Today {
  /** Cards of all rules and areas. */
  cards(): Promise<readonly RuledCard[]>
  /** Sums of yesterday by UTC. */
  yesterday(): Promise<TodaySums>
  site(caller: Reader, zone: string): Promise<SiteToday>
  own(caller: Reader, zone: string): Promise<OwnToday>
}

/** A caller, and the language of reasons. */
interface Reader extends Pick<ConsoleCaller, 'id' | 'permissions'> {
  readonly language: Language
}

/** Readers within this time share one look at the site. */
const sharedForMs = 5_000
/** Sums of days that are over change only with late charges. */
const sumsForMs = 60_000
const mostRanges = 200
/** Cards of an answer; snoozed ones are among them. */
const mostCards = 40

const sumsOf = (hours: Hours, sums: FigureSums): TodaySums => ({
  ...hours,
  quota: sums.quota,
  answered: sums.answered,
  failures: sums.failures,
  cost: sums.cost,
  costed: sums.costedCount,
  costed_quota: sums.costedQuota,
})

const ownSumsOf = ({ from, to, quota, answered, failures }: TodaySums) => ({ from, to, quota, answered, failures })

const shown = (
  cards: readonly StoredCard[],
  snoozed: ReadonlyMap<string, number>,
  language: Language,
): { cards: TodayCard[]; more: number } => ({
  cards: cards.slice(0, mostCards).map((card) => {
    const { text, ...error } = readCause(card.reason, language)
    return { ...card, names: [...card.names], reason: text, ...error, snoozed_until: snoozed.get(card.id) ?? 0 }
  }),
  more: Math.max(0, cards.length - mostCards),
})

/** The start page: sums of the reader's days, and the cards of all rules. */
export const openToday = (parts: TodayParts): Today => {
  const { database, snoozes, clock } = parts
  const sums = createBoundedCache<string, { readonly at: number; readonly read: Promise<TodaySums> }>({
    entries: mostRanges,
  })
  let latest:
    | { readonly at: number; readonly version: number; readonly read: Promise<readonly RuledCard[]> }
    | undefined

  const cards = (): Promise<readonly RuledCard[]> => {
    const at = clock()
    const version = parts.sources.now
    if (latest === undefined || latest.version !== version || at - latest.at >= sharedForMs)
      latest = { at, version, read: readCards(lookAt(parts, unixSeconds(clock)), parts.failed) }
    return latest.read
  }

  const readSums = async (hours: Hours, userId?: number): Promise<TodaySums> =>
    sumsOf(hours, await sumsIn(database, hours, userId))

  const sharedSums = (hours: Hours, forMs: number): Promise<TodaySums> => {
    const key = `${hours.from} ${hours.to}`
    const found = sums.get(key)
    if (found !== undefined && clock() - found.at < forMs) return found.read
    const read = readSums(hours)
    sums.set(key, { at: clock(), read })
    read.catch(() => sums.delete(key))
    return read
  }

  return {
    cards,
    yesterday: () => sharedSums(readerDays('UTC', unixSeconds(clock)).yesterday, sumsForMs),

    async site({ id, permissions, language }, zone) {
      const at = unixSeconds(clock)
      const days = readerDays(zone, at)
      const [found, snoozed, yesterday, before, today] = await Promise.all([
        cards(),
        snoozes.of(id, at),
        sharedSums(days.yesterday, sumsForMs),
        sharedSums(days.before, sumsForMs),
        sharedSums(days.today, sharedForMs),
      ])
      const open = found.filter(({ rule }) => permits(permissions, rule.area, 'read')).map(({ card }) => card)
      return { at, yesterday, before, today, ...shown(open, snoozed, language) }
    },

    async own({ id, language }, zone) {
      const at = unixSeconds(clock)
      const days = readerDays(zone, at)
      const sumsOfOwn = async (hours: Hours) => ownSumsOf(await readSums(hours, id))
      const [own, snoozed, yesterday, before, today, week] = await Promise.all([
        readOwn({ ...parts, userId: id, now: at }),
        snoozes.of(id, at),
        sumsOfOwn(days.yesterday),
        sumsOfOwn(days.before),
        sumsOfOwn(days.today),
        sumsOfOwn(days.week),
      ])
      const { balance, limits } = own
      return { at, yesterday, before, today, week, balance, limits, ...shown(own.cards, snoozed, language) }
    },
  }
}
