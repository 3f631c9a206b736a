import { logType, type TakenCalls, type VirtualCondition, type VirtualModelChange } from '@tollgate/contract'
import { hasTag, type PrintedTags } from '#server/billing/call-tags.ts'
import type { Database } from '#server/db/database.ts'

const day = 86_400
/** Newer calls than these are enough to see how rules share them. */
const mostRead = 50_000

interface LoggedCall {
  readonly at: number
  readonly group: string
  readonly tokenId: number
  readonly tags: PrintedTags
  readonly isStream: boolean
  readonly promptTokens: number
}

const isWithin = (at: number, { from, until, days }: NonNullable<VirtualCondition['hours']>): boolean => {
  const clock = new Date(at * 1000).toISOString().slice(11, 16)
  const holds = from <= until ? clock >= from && clock < until : clock >= from || clock < until
  return holds && (days.length === 0 || days.includes(new Date(at * 1000).getUTCDay()))
}

/** True if what the log keeps of a call fits a condition. */
const fits = (
  call: LoggedCall,
  { keys, groups, tags, prompt_from, prompt_below, stream, hours }: VirtualCondition,
): boolean =>
  (keys?.includes(call.tokenId) ?? true) &&
  (groups?.includes(call.group) ?? true) &&
  (tags?.some((tag) => hasTag(call.tags, tag)) ?? true) &&
  (stream === undefined || call.isStream === stream) &&
  call.promptTokens >= (prompt_from ?? 0) &&
  (prompt_below === undefined || call.promptTokens < prompt_below) &&
  (hours === undefined || isWithin(call.at, hours))

const looksFurther = ({ teams, header, tools, pictures }: VirtualCondition): boolean =>
  teams !== undefined || header !== undefined || tools !== undefined || pictures !== undefined

/**
 * How many logged calls of the last 24 hours each rule would have taken: calls of the virtual name, or of its targets where
 * there were none.
 */
export const openRulePreview = (logs: Pick<Database, 'query'>, clock: () => number) => {
  const callsOf = async (models: readonly string[]): Promise<LoggedCall[]> => {
    const rows = await logs.query
      .selectFrom('logs')
      .select(['created_at', 'group', 'token_id', 'is_stream', 'prompt_tokens', 'tags'])
      .where('type', '=', logType.consume)
      .where('created_at', '>=', Math.floor(clock() / 1000) - day)
      .where('model_name', 'in', [...models])
      .orderBy('id', 'desc')
      .limit(mostRead)
      .execute()
    return rows.map((row) => ({
      at: row.created_at,
      group: row.group,
      tokenId: row.token_id,
      tags: row.tags ?? '',
      isStream: row.is_stream === 1,
      promptTokens: row.prompt_tokens,
    }))
  }

  return async ({ name, rules, steps }: VirtualModelChange): Promise<{ calls: number; rules: TakenCalls[] }> => {
    const targets = [...rules.flatMap((rule) => rule.steps), ...steps].flatMap((step) => step.targets)
    const own = await callsOf([name])
    const calls = own.length > 0 ? own : await callsOf([...new Set(targets.map(({ model }) => model))])
    const counts = [...rules.map(() => 0), 0]
    for (const call of calls) {
      const taking = rules.findIndex(({ when }) => fits(call, when))
      const place = taking === -1 ? rules.length : taking
      counts[place] = (counts[place] ?? 0) + 1
    }
    const names = [...rules.map((rule) => rule.name), '']
    return {
      calls: calls.length,
      rules: names.map((rule, index) => ({
        rule,
        calls: counts[index] ?? 0,
        at_most: index < rules.length && looksFurther(rules[index]?.when ?? {}),
      })),
    }
  }
}
