import type { DataOf, DualRunDetails, DualRunRow, getDualRunSums, listDualRuns, QueryOf } from '@tollgate/contract'
import { receiptOf } from '#server/billing/cost.ts'
import type { Price } from '#server/billing/price.ts'
import { completionTokens, promptTokens, type Usage } from '#server/billing/usage.ts'
import { AppError } from '#server/lib/app-error.ts'
import { boundedText } from '#server/lib/bounded-text.ts'
import { reasonOf } from '#server/lib/reason-of.ts'
import type { RelayCall } from '#server/relay/call.ts'
import type { Captures } from '#server/relay/captures.ts'
import { withoutKeyLike } from '#server/relay/upstream/redact.ts'
import { type AnswerFacts, answerFacts } from './answer-facts.ts'
import { type OwnAnswer, SampledCall } from './sampled-call.ts'
import type { AskSecond } from './second-gateway.ts'
import type { DualRunRecord, DualRunStore } from './store.ts'

export interface DualRunSettings {
  /** False where no second gateway is set. */
  readonly on: boolean
  /** Per cent of calls. */
  readonly share: number
  /** Empty for all. */
  readonly models: ReadonlySet<string>
  /** Ids of API keys; empty for all. */
  readonly keys: ReadonlySet<number>
  /** Quota units a day that the second gateway may cost, as far as can be foreseen. */
  readonly dailyLimit: number
}

export interface DualRunParts {
  readonly settings: () => DualRunSettings
  readonly store: DualRunStore
  readonly ask: AskSecond
  /** The price that a call has here; undefined for none. */
  readonly priceOf: (call: RelayCall) => Price | undefined
  readonly clock: () => number
  readonly random: () => number
  readonly failed: (error: unknown) => void
}

export interface DualRuns extends Captures {
  list(query: QueryOf<typeof listDualRuns>): Promise<DataOf<typeof listDualRuns>>
  sums(): Promise<DataOf<typeof getDualRunSums>>
  find(id: number): Promise<DualRunDetails>
  purge(): Promise<void>
  /** Resolves when no call is being compared. */
  idle(): Promise<void>
}

/** Bytes of an answer that are compared; larger calls are left out. */
export const mostAnswerBytes = 1024 * 1024
const mostRequestBytes = 1024 * 1024
/** Calls that are compared at a time; more are left out. */
const mostAtOnce = 8
const longestText = 20_000
const longestKey = 255
const dayMs = 86_400_000
const keptMs = 14 * dayMs
const mostKept = 5_000

const shownRow = ({ differs: _, spent: __, ...row }: DualRunRecord): DualRunRow => ({
  ...row,
  same_text: row.same_text === 1,
  same_tools: row.same_tools === 1,
  same_finish: row.same_finish === 1,
  same_usage: row.same_usage === 1,
})

const tokens = (usage: Usage | undefined) => ({
  prompt: usage === undefined ? 0 : promptTokens(usage),
  completion: usage === undefined ? 0 : completionTokens(usage),
})

const flag = (same: boolean): number => (same ? 1 : 0)
const short = (text: string): string => text.slice(0, longestKey).toWellFormed().replaceAll('\0', '')
const shownText = (text: string): string => boundedText(withoutKeyLike(text), longestText)

const noFacts: AnswerFacts = { text: '', toolCalls: 0, finish: '', usage: undefined }

/** Asks a second gateway the same, for a share of the calls, once the client has its answer. */
export const createDualRuns = (parts: DualRunParts): DualRuns => {
  const { store, clock } = parts
  const running = new Set<Promise<void>>()

  const midnight = (): number => Math.floor(clock() / dayMs) * (dayMs / 1000)

  const second = async ({ call, record }: OwnAnswer) => {
    try {
      const answer = await parts.ask(call)
      const facts = answer.status === 200 ? answerFacts(call, answer.body, answer.isStream) : noFacts
      const error = answer.status === 200 ? '' : answer.body.toString('utf8', 0, 500).toWellFormed()
      return { status: answer.status, tookMs: answer.tookMs, facts, error, spent: record.quota }
    } catch (error) {
      return { status: 0, tookMs: 0, facts: noFacts, error: reasonOf(error), spent: 0 }
    }
  }

  const quotaOf = (call: RelayCall, usage: Usage | undefined): number => {
    const price = usage === undefined ? undefined : parts.priceOf(call)
    return usage === undefined || price === undefined ? 0 : receiptOf(usage, price, { estimated: false }).quota
  }

  const compare = async (own: OwnAnswer): Promise<void> => {
    const { call, record } = own
    const { dailyLimit } = parts.settings()
    if ((await store.spentSince(midnight())) + record.quota > dailyLimit) return
    const other = await second(own)
    const facts = answerFacts(call, own.body, own.isStream)
    const answered = other.status === 200
    const [here, there] = [
      { prompt: record.promptTokens, completion: record.completionTokens },
      tokens(other.facts.usage),
    ]
    const same = {
      same_text: flag(answered && facts.text === other.facts.text),
      same_tools: flag(answered && facts.toolCalls === other.facts.toolCalls),
      same_finish: flag(answered && facts.finish === other.facts.finish),
      same_usage: flag(answered && here.prompt === there.prompt && here.completion === there.completion),
    }
    await store.add(
      {
        request_id: short(call.id),
        created_time: Math.floor(clock() / 1000),
        model: short(call.model),
        path: short(call.path),
        status: other.status,
        ...same,
        differs: flag(Object.values(same).includes(0)),
        quota: record.quota,
        second_quota: quotaOf(call, other.facts.usage),
        spent: other.spent,
        prompt_tokens: here.prompt,
        completion_tokens: here.completion,
        second_prompt_tokens: there.prompt,
        second_completion_tokens: there.completion,
        took_ms: record.measures?.totalMs ?? 0,
        second_ms: other.tookMs,
      },
      {
        text: shownText(facts.text),
        second_text: shownText(other.facts.text),
        tool_calls: facts.toolCalls,
        second_tool_calls: other.facts.toolCalls,
        finish: short(facts.finish),
        second_finish: short(other.facts.finish),
        error: shownText(other.error),
      },
    )
  }

  const over = (own: OwnAnswer | undefined): void => {
    if (own === undefined || running.size >= mostAtOnce) return
    const comparison = compare(own).catch(parts.failed)
    running.add(comparison)
    void comparison.finally(() => running.delete(comparison))
  }

  const isChosen = (call: RelayCall, { share, models, keys }: DualRunSettings): boolean =>
    call.form === undefined &&
    call.raw.length <= mostRequestBytes &&
    (models.size === 0 || models.has(call.model)) &&
    (keys.size === 0 || keys.has(call.caller.tokenId)) &&
    parts.random() * 100 < share

  return {
    open(call) {
      const settings = parts.settings()
      if (!settings.on || running.size >= mostAtOnce || !isChosen(call, settings)) return undefined
      return new SampledCall(call, mostAnswerBytes, over)
    },

    async list({ p: page, page_size, differing }) {
      const only = differing === '1'
      const [rows, total] = await Promise.all([
        store.page(only, { offset: (page - 1) * page_size, limit: page_size }),
        store.count(only),
      ])
      return { items: rows.map(shownRow), total, page, page_size }
    },

    async sums() {
      const { on, dailyLimit } = parts.settings()
      const [sums, today] = await Promise.all([store.sums(), store.spentSince(midnight())])
      return { ...sums, on, today, daily_limit: dailyLimit }
    },

    async find(id) {
      const found = await store.find(id)
      if (found === undefined) throw new AppError('not_found')
      return { ...shownRow(found.row), ...found.texts }
    },

    purge: () => store.purge(Math.floor((clock() - keptMs) / 1000), mostKept),

    async idle() {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
