import { parseObject } from '@tollgate/contract/json'
import { type CacheMiss, type LogEntry, missCauses, type SessionMove, sessionMoves } from '../../lib/api/contract.ts'

/** Facts about its session and about caches in a log row; absent parts are unknown. */
export interface SessionFacts {
  readonly state?: 'hit' | 'moved' | 'cold' | 'stopped' | undefined
  readonly why?: SessionMove | undefined
  readonly miss?: CacheMiss | undefined
  readonly cached: number
  /** Written to a cache, for the calls to come. */
  readonly written: number
  /** `Bash ×2, Read`: the tools whose results the call brought; empty for none. */
  readonly tools: string
  /** The program that made the call; empty where it does not say. */
  readonly client: string
}

const states = ['hit', 'moved', 'cold', 'stopped'] as const

const among = <T extends string>(list: readonly T[], value: unknown): T | undefined => list.find((one) => one === value)

const count = (value: unknown): number => (typeof value === 'number' && value > 0 ? value : 0)

const missOf = (stored: unknown): CacheMiss | undefined => {
  if (typeof stored !== 'object' || stored === null) return undefined
  const { cause, tokens, minutes, turn } = stored as Readonly<Record<string, unknown>>
  const known = among(missCauses, cause)
  return known && { cause: known, tokens: count(tokens), minutes: count(minutes), turn: count(turn) }
}

const toolsOf = (stored: unknown): string =>
  typeof stored === 'object' && stored !== null
    ? Object.entries(stored)
        .map(([name, times]) => (count(times) > 1 ? `${name} ×${count(times)}` : name))
        .join(', ')
    : ''

const read = new WeakMap<LogEntry, SessionFacts>()

export const factsOf = (log: LogEntry): SessionFacts => {
  const before = read.get(log)
  if (before) return before
  const other = parseObject(log.other)
  const trace = (typeof other.session === 'object' && other.session) || {}
  const { state, why } = trace as Readonly<Record<string, unknown>>
  const facts = {
    state: among(states, state),
    why: among(sessionMoves, why),
    miss: missOf(other.cache_miss),
    cached: count(other.cache_tokens),
    written: count(other.cache_creation_tokens),
    tools: toolsOf(other.tools_called),
    client: typeof other.client === 'string' ? other.client : '',
  }
  read.set(log, facts)
  return facts
}

/** The programs that made calls, the one with the most first: `Claude Code, curl`; empty where none says. */
export const clientsOf = (logs: readonly LogEntry[]): string => {
  const counts = new Map<string, number>()
  for (const log of logs) {
    const { client } = factsOf(log)
    if (client !== '') counts.set(client, (counts.get(client) ?? 0) + 1)
  }
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([client]) => client)
    .join(', ')
}
