import type { Price } from '../../billing/price.ts'
import { routedModel } from '../../billing/routed-model.ts'
import { audioPromptTokens, cachedTokens, completionTokens, promptTokens } from '../../billing/usage.ts'
import { shortText } from '../../lib/bounded-text.ts'
import type { CallFacts } from '../call.ts'
import type { CallFailure } from '../failure.ts'
import type { PlacedWebCall, RequestBegin, RequestRecord } from '../ports.ts'
import { expectedHedge } from '../routing/hedging/hedge-trace.ts'
import type { AttemptLog } from './attempt-log.ts'
import { adminInfo, chargeOther, isMapped, mapping, ofSession } from './charge-other.ts'
import type { Charged } from './charged.ts'
import { priceTextsOf } from './price-texts.ts'
import { requestParameters } from './request-parameters.ts'

/** The client program for the `other` column. */
export const ofProgram = ({ program }: CallFacts): { readonly client?: string } =>
  program === undefined ? {} : { client: program }

/** Milliseconds since the call began, at least 0: clocks are set back. */
export const tookMs = ({ startedAt }: CallFacts, now: number): number => Math.max(0, now - startedAt)

/** Members of records of all outcomes. */
type Common = Pick<
  RequestRecord,
  | 'id'
  | 'at'
  | 'userId'
  | 'username'
  | 'tokenId'
  | 'tokenName'
  | 'channelId'
  | 'model'
  | 'group'
  | 'isStream'
  | 'ip'
  | 'tags'
  | 'caps'
  | 'session'
  | 'endUser'
  | 'hedge'
>

/** Adds members that almost no call has. */
const addRare = (
  record: { -readonly [Name in keyof Common]: Common[Name] },
  { tags, caller, endUser }: CallFacts,
  { session, hedge }: AttemptLog,
): void => {
  // The tags of the call, or of its key.
  const all = tags ?? caller.tags
  if (all) record.tags = all
  if (caller.caps !== undefined) record.caps = caller.caps.map(({ id }) => id)
  if (session !== undefined) record.session = session.id
  if (endUser !== undefined) record.endUser = endUser
  if (hedge?.cost !== undefined) record.hedge = hedge.cost
}

/** Members that every record has. */
export const common = (facts: CallFacts, attemptLog: AttemptLog, now: number): Common => {
  const { caller } = facts
  const record: Common = {
    id: facts.id,
    at: now,
    userId: caller.userId,
    username: caller.username,
    tokenId: caller.tokenId,
    tokenName: caller.tokenName,
    channelId: attemptLog.channelId,
    model: routedModel(facts.model),
    group: caller.group,
    isStream: facts.stream,
    ip: facts.ip,
  }
  addRare(record, facts, attemptLog)
  return record
}

interface BeginExtras {
  readonly price: Price
  readonly upstreamPrice: Price | undefined
  readonly webCall?: PlacedWebCall | undefined
}

/** The begin record of a call, made before the first attempt. */
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

/** Record of an answered and charged call. Built in one pass: every answer waits for it. */
export const chargeRecord = (
  facts: CallFacts,
  attemptLog: AttemptLog,
  charged: Charged,
  now: number,
): RequestRecord => {
  const { usage, receipt, cost, cache, note = '', free, ws } = charged
  const { firstByteMs } = attemptLog
  const texts = priceTextsOf(charged.price)
  const took = tookMs(facts, now)
  const cached = cachedTokens(usage)
  const prompt = promptTokens(usage)
  const completion = completionTokens(usage)
  const isAudio = facts.model.startsWith('gpt-4o-audio') || audioPromptTokens(usage) + usage.audioOutput > 0
  // Pictures if no tokens were reported.
  const billedPrompt = prompt || (usage.images?.count ?? 0)
  const record = common(facts, attemptLog, now)
  const unused = free !== true && billedPrompt + completion === 0 ? '（可能是上游超时）' : ''
  const gizmo = record.model === facts.model ? '' : `，模型 ${facts.model}`
  const { other, text } = chargeOther(facts, attemptLog, charged, {
    tookMs: took,
    cachedTokens: cached,
    isAudio,
    texts,
  })
  return {
    ...record,
    kind: 'charge',
    quota: receipt.quota,
    cost: cost?.quota,
    // Only a stream has begun before it ends.
    isStream: facts.stream || firstByteMs !== undefined,
    promptTokens: billedPrompt,
    completionTokens: completion,
    useTime: Math.floor(took / 1000),
    // The format that the console and clients of the log know.
    content: `${isAudio || ws === true ? texts.ofAudio : texts.ofText}${unused}${gizmo}${note}`,
    measures: {
      // The length of a session is unrelated to the speed of its answers.
      totalMs: ws === true ? undefined : took,
      firstMs: ws === true ? undefined : firstByteMs,
      cached,
      cacheWrite: usage.cacheWrite + usage.cacheWrite1h,
      reasoning: usage.reasoning,
      ...(cache === undefined
        ? {}
        : { missed: cache.miss?.tokens ?? 0, cacheSaved: cache.saved, cacheLost: cache.lost }),
    },
    other,
    otherText: text,
    receipt,
  }
}

/** UTF-16 units: a path may name a model of any length. */
const longestPath = 200

const parametersOf = ({ body }: CallFacts): Readonly<Record<string, unknown>> => {
  const parameters = requestParameters(body)
  return parameters === undefined ? {} : { parameters }
}

/** Record of a failed call, which is free; the operator reads its cause. */
export const errorRecord = (
  facts: CallFacts,
  attemptLog: AttemptLog,
  failure: CallFailure,
  now: number,
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
    ...parametersOf(facts),
    ...ofProgram(facts),
    path: shortText(facts.path, longestPath),
    duration_ms: tookMs(facts, now),
    admin_info: adminInfo(attemptLog, failure),
  },
  receipt: undefined,
})
