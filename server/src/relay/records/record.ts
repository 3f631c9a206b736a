import type { Receipt } from '@tollgate/contract'
import type { CacheMoney } from '../../billing/cost.ts'
import type { Price } from '../../billing/price.ts'
import type { Ratios } from '../../billing/prices.ts'
import { routedModel } from '../../billing/routed-model.ts'
import type { UpstreamCost } from '../../billing/upstream/upstream-cost.ts'
import { audioPromptTokens, cachedTokens, completionTokens, promptTokens, type Usage } from '../../billing/usage.ts'
import { shortText } from '../../lib/bounded-text.ts'
import type { CallFacts } from '../call.ts'
import type { CallFailure } from '../failure.ts'
import type { CallMeasures, PlacedWebCall, RequestBegin, RequestRecord } from '../ports.ts'
import { expectedHedge, printedHedge } from '../routing/hedging/hedge-trace.ts'
import type { CacheMiss } from '../sessions/cache-doctor.ts'
import type { SessionTrace } from '../sessions/session-route.ts'
import { toolsCalled } from '../sessions/tool-rounds.ts'
import type { AttemptLog } from './attempt-log.ts'
import { priceTextsOf } from './price-texts.ts'
import { requestParameters } from './request-parameters.ts'

export interface Charged {
  readonly usage: Usage
  readonly receipt: Receipt
  readonly price: Price
  /** What it costs at the provider; undefined where that is not known. */
  readonly cost: UpstreamCost | undefined
  /** `closed` by this server; `out_of_quota` when no more could be held for a stream or a session. */
  readonly end: 'done' | 'client_gone' | 'upstream_broke' | 'stopped' | 'closed' | 'out_of_quota'
  /** Why a stream broke. */
  readonly cause: string | undefined
  /** Additional text for the log. */
  readonly note?: string | undefined
  /** Present where the provider asks nothing for the answer. */
  readonly free?: true | undefined
  /** The blocked word that the answer held. */
  readonly blockedWord: string | undefined
  /** What the provider's cache saved and a miss of it cost, in quota units; absent where neither was. */
  readonly cache?: (CacheMoney & { readonly miss: CacheMiss | undefined }) | undefined
  /** A session over a WebSocket. */
  readonly ws?: true
}

const isAudio = (model: string, usage: Usage): boolean =>
  model.startsWith('gpt-4o-audio') || audioPromptTokens(usage) + usage.audioOutput > 0

/** The sentence of a charge in the log, as the mission's console and clients of its log know it. */
const contentOf = (facts: CallFacts, { price, usage, note = '', free, ws }: Charged): string => {
  const { ofText, ofAudio } = priceTextsOf(price)
  const isSounding = ws === true || isAudio(facts.model, usage)
  const unused = free !== true && billedPrompt(usage) + completionTokens(usage) === 0 ? '（可能是上游超时）' : ''
  const gizmo = routedModel(facts.model) === facts.model ? '' : `，模型 ${facts.model}`
  return `${isSounding ? ofAudio : ofText}${unused}${gizmo}${note}`
}

/** Prompt tokens, or pictures if no tokens were reported. */
const billedPrompt = (usage: Usage): number => promptTokens(usage) || (usage.images?.count ?? 0)

const audioOther = (figures: Ratios, usage: Usage): Record<string, unknown> => ({
  audio_input: usage.audioInput,
  audio_output: usage.audioOutput,
  text_input: usage.input,
  text_output: usage.output,
  audio_ratio: figures.audio_ratio,
  audio_completion_ratio: figures.audio_completion_ratio,
})

/** What only operators read of a call. */
export const adminInfo = (
  attemptLog: AttemptLog,
  { cause, blockedWord, cost }: Partial<Charged>,
): Record<string, unknown> => {
  const { attempts } = attemptLog
  const info: Record<string, unknown> = { use_channel: attempts.map(({ channel }) => String(channel)), attempts }
  if (cause !== undefined) info.cause = cause
  if (blockedWord !== undefined) info.blocked_word = blockedWord
  if (cost !== undefined) info.cost = cost
  if (attemptLog.route !== undefined) info.route = attemptLog.route
  if (attemptLog.hedge !== undefined) info.hedge = printedHedge(attemptLog.hedge)
  return info
}

const isMapped = (facts: CallFacts, { upstreamModel }: AttemptLog): boolean =>
  upstreamModel !== '' && upstreamModel !== facts.model

const mapping = ({ upstreamModel }: AttemptLog): Record<string, unknown> => ({
  is_model_mapped: true,
  upstream_model_name: upstreamModel,
})

const noFirstByte = -1000

/** Where a call stands in its session: how it was led, and the tools whose results it brought. */
const ofSession = ({ dialect, body }: CallFacts, session: SessionTrace): Record<string, unknown> => {
  const called = toolsCalled(dialect, body)
  return called === undefined ? { session } : { session, tools_called: called }
}

/** The `other` column of a charge's log row. */
const chargeOther = (
  facts: CallFacts,
  attemptLog: AttemptLog,
  charged: Charged,
  now: number,
): Record<string, unknown> => {
  const { usage, price } = charged
  const { figures } = priceTextsOf(price)
  const written = usage.cacheWrite + usage.cacheWrite1h
  // No spreads of what is almost always nothing: this is made for every call.
  const other: Record<string, unknown> = {
    model_ratio: figures.model_ratio,
    group_ratio: figures.group_ratio,
    completion_ratio: figures.completion_ratio,
    model_price: figures.model_price,
    cache_tokens: cachedTokens(usage),
    cache_ratio: figures.cache_ratio,
    frt: attemptLog.firstByteMs ?? noFirstByte,
    end: charged.end,
    duration_ms: tookMs(facts, now),
    path: facts.path,
    admin_info: adminInfo(attemptLog, charged),
  }
  if (written > 0) {
    other.cache_creation_tokens = written
    other.cache_creation_ratio = figures.cache_creation_ratio
  }
  if (charged.ws === true) Object.assign(other, { ws: true }, audioOther(figures, usage))
  else if (isAudio(facts.model, usage)) Object.assign(other, { audio: true }, audioOther(figures, usage))
  if (facts.program !== undefined) other.client = facts.program
  if (facts.askedName !== undefined) other.asked_name = facts.askedName
  if (facts.fallback !== undefined) other.limit_fallback = facts.fallback
  if (attemptLog.effort !== undefined) other.reasoning_effort = attemptLog.effort
  if (isMapped(facts, attemptLog)) Object.assign(other, mapping(attemptLog))
  if (attemptLog.unsupported.length > 0) other.lost_fields = attemptLog.unsupported
  if (attemptLog.session !== undefined) Object.assign(other, ofSession(facts, attemptLog.session))
  if (facts.capture?.taken === true) other.inspected = true
  const parameters = requestParameters(facts.body)
  if (parameters !== undefined) other.parameters = parameters
  if (charged.cache?.miss !== undefined) other.cache_miss = charged.cache.miss
  return other
}

/** What made the call, for the `other` column. */
export const ofProgram = ({ program }: CallFacts): { readonly client?: string } =>
  program === undefined ? {} : { client: program }

/** Never less than nothing: clocks are set back. */
export const tookMs = ({ startedAt }: CallFacts, now: number): number => Math.max(0, now - startedAt)

const untagged = {}

/** The tags of a call, or of its key; nothing for almost all. */
const tagged = ({ tags, caller }: CallFacts): { readonly tags?: string } => {
  const all = tags ?? caller.tags
  return all ? { tags: all } : untagged
}

/** What every record says of its call. */
export const common = (facts: CallFacts, attemptLog: AttemptLog, now: number) => ({
  ...tagged(facts),
  id: facts.id,
  at: now,
  userId: facts.caller.userId,
  username: facts.caller.username,
  tokenId: facts.caller.tokenId,
  tokenName: facts.caller.tokenName,
  channelId: attemptLog.channelId,
  model: routedModel(facts.model),
  group: facts.caller.group,
  isStream: facts.stream,
  ip: facts.ip,
  ...(facts.caller.caps === undefined ? {} : { caps: facts.caller.caps.map(({ id }) => id) }),
  ...(attemptLog.session === undefined ? {} : { session: attemptLog.session.id }),
  ...(facts.endUser === undefined ? untagged : { endUser: facts.endUser }),
  ...(attemptLog.hedge?.cost === undefined ? {} : { hedge: attemptLog.hedge.cost }),
})

interface BeginExtras {
  readonly price: Price
  readonly upstreamPrice: Price | undefined
  readonly webCall?: PlacedWebCall | undefined
}

/** Before the first attempt is sent. */
export const beginOf = (
  facts: CallFacts,
  attemptLog: AttemptLog,
  { price, upstreamPrice, webCall }: BeginExtras,
  now: number,
): RequestBegin => {
  const hedge = attemptLog.hedge && expectedHedge(attemptLog.hedge)
  return {
    ...common(facts, attemptLog, now),
    ...(hedge === undefined ? {} : { hedge }),
    price,
    ...(upstreamPrice === undefined ? {} : { upstreamPrice }),
    ...(webCall === undefined ? {} : { webCall }),
  }
}

/** A session's length says nothing about the speed of its answers. */
const measuresOf = (
  facts: CallFacts,
  { firstByteMs }: AttemptLog,
  { usage, ws, cache }: Charged,
  now: number,
): CallMeasures => ({
  totalMs: ws === true ? undefined : tookMs(facts, now),
  firstMs: ws === true ? undefined : firstByteMs,
  cached: cachedTokens(usage),
  cacheWrite: usage.cacheWrite + usage.cacheWrite1h,
  reasoning: usage.reasoning,
  ...(cache === undefined ? {} : { missed: cache.miss?.tokens ?? 0, cacheSaved: cache.saved, cacheLost: cache.lost }),
})

/** A call that was answered, in whole or in part, and is paid for. */
export const chargeRecord = (
  facts: CallFacts,
  attemptLog: AttemptLog,
  charged: Charged,
  now: number,
): RequestRecord => ({
  ...common(facts, attemptLog, now),
  kind: 'charge',
  quota: charged.receipt.quota,
  cost: charged.cost?.quota,
  // Only a stream has begun before it ends.
  isStream: facts.stream || attemptLog.firstByteMs !== undefined,
  promptTokens: billedPrompt(charged.usage),
  completionTokens: completionTokens(charged.usage),
  useTime: Math.floor(tookMs(facts, now) / 1000),
  content: contentOf(facts, charged),
  measures: measuresOf(facts, attemptLog, charged, now),
  other: chargeOther(facts, attemptLog, charged, now),
  receipt: charged.receipt,
})

/** UTF-16 units: a path may name a model of any length. */
const longestPath = 200

/** A call that failed and costs nothing; the operator reads why. */
export const errorRecord = (
  facts: CallFacts,
  attemptLog: AttemptLog,
  failure: CallFailure,
  now: number,
  parameters = requestParameters(facts.body),
): RequestRecord => ({
  ...common(facts, attemptLog, now),
  kind: 'error',
  quota: 0,
  promptTokens: 0,
  completionTokens: 0,
  useTime: Math.floor(tookMs(facts, now) / 1000),
  content: failure.message,
  other: {
    ...(isMapped(facts, attemptLog) ? mapping(attemptLog) : {}),
    status: failure.status,
    error_code: failure.code === null || failure.code === '' ? failure.type : String(failure.code),
    ...(failure.sentence === undefined ? {} : { error_text: failure.sentence }),
    ...(failure.code === 'client_gone' ? { end: 'client_gone' } : {}),
    ...(attemptLog.session === undefined ? {} : ofSession(facts, attemptLog.session)),
    ...(facts.capture?.taken === true ? { inspected: true } : {}),
    ...(parameters === undefined ? {} : { parameters }),
    ...ofProgram(facts),
    path: shortText(facts.path, longestPath),
    duration_ms: tookMs(facts, now),
    admin_info: adminInfo(attemptLog, failure),
  },
  receipt: undefined,
})
