import type { Attempt } from '@tollgate/contract'
import type { Ratios } from '../../billing/prices.ts'
import type { UpstreamCost } from '../../billing/upstream/upstream-cost.ts'
import type { Usage } from '../../billing/usage.ts'
import type { CallFacts } from '../call.ts'
import { printedHedge } from '../routing/hedging/hedge-trace.ts'
import type { SessionTrace } from '../sessions/session-route.ts'
import { toolsCalled } from '../sessions/tool-rounds.ts'
import type { AttemptLog } from './attempt-log.ts'
import type { Charged } from './charged.ts'
import type { PriceTexts } from './price-texts.ts'
import { requestParameters } from './request-parameters.ts'

const audioOther = (figures: Ratios, usage: Usage): Record<string, unknown> => ({
  audio_input: usage.audioInput,
  audio_output: usage.audioOutput,
  text_input: usage.input,
  text_output: usage.output,
  audio_ratio: figures.audio_ratio,
  audio_completion_ratio: figures.audio_completion_ratio,
})

/** Facts of a call that only operators read. */
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

/** True if the channel maps the model to another name. */
export const isMapped = (facts: CallFacts, { upstreamModel }: AttemptLog): boolean =>
  upstreamModel !== '' && upstreamModel !== facts.model

/** Members of `other` for a mapped model. */
export const mapping = ({ upstreamModel }: AttemptLog): Record<string, unknown> => ({
  is_model_mapped: true,
  upstream_model_name: upstreamModel,
})

/** Place of a call in its session: how it was routed, and the tools whose results it brought. */
export const ofSession = ({ dialect, body }: CallFacts, session: SessionTrace): Record<string, unknown> => {
  const called = toolsCalled(dialect, body)
  return called === undefined ? { session } : { session, tools_called: called }
}

const noFirstByte = -1000

const attemptText = (attempt: Attempt): string => {
  const { channel_name: name, request_id: id, answer_id: answerId } = attempt
  if (attempt.receipt !== undefined || attempt.hedge !== undefined || attempt.cancelled !== undefined)
    return JSON.stringify(attempt)
  const named = name === undefined ? '' : `,"channel_name":${JSON.stringify(name)}`
  const ids = `${id === undefined ? '' : `,"request_id":${JSON.stringify(id)}`}${answerId === undefined ? '' : `,"answer_id":${JSON.stringify(answerId)}`}`
  return `{"channel":${attempt.channel}${named},"started_ms":${attempt.started_ms},"duration_ms":${attempt.duration_ms},"status":${attempt.status},"error":${JSON.stringify(attempt.error)}${ids}}`
}

const costText = (cost: UpstreamCost): string =>
  cost.stated === undefined && cost.stated_gap === undefined
    ? `{"quota":${cost.quota},"version":${JSON.stringify(cost.version)},"factor":${JSON.stringify(cost.factor)}}`
    : JSON.stringify(cost)

/** `info` as JSON. Almost always there was one channel and no further fact. */
const adminText = (info: Record<string, unknown>, { attempts, route, hedge }: AttemptLog, charged: Charged): string => {
  const { cause, blockedWord, cost } = charged
  const [only] = attempts
  const saysMore = cause !== undefined || blockedWord !== undefined || route !== undefined || hedge !== undefined
  if (only === undefined || attempts.length > 1 || saysMore) return JSON.stringify(info)
  const costs = cost === undefined ? '' : `,"cost":${costText(cost)}`
  return `{"use_channel":["${only.channel}"],"attempts":[${attemptText(only)}]${costs}}`
}

/** Figures of a charge that are in other columns too. */
interface ChargeFigures {
  readonly tookMs: number
  readonly cachedTokens: number
  /** True if it is billed for sound. */
  readonly isAudio: boolean
  readonly texts: PriceTexts
}

/** The `other` column of a charge's log row, and the same as JSON without its closing brace. */
export interface ChargeOther {
  readonly other: Record<string, unknown>
  readonly text: string
}

/**
 * Printed beside the object and not of it: the part of the price is a text already, and nearly all members have a form that needs no look
 * at each value's kind.
 */
export const chargeOther = (
  facts: CallFacts,
  attemptLog: AttemptLog,
  charged: Charged,
  { tookMs, cachedTokens, isAudio, texts }: ChargeFigures,
): ChargeOther => {
  const { usage, end } = charged
  const { figures, printed } = texts
  const frt = attemptLog.firstByteMs ?? noFirstByte
  const info = adminInfo(attemptLog, charged)
  const other: Record<string, unknown> = {
    model_ratio: figures.model_ratio,
    group_ratio: figures.group_ratio,
    completion_ratio: figures.completion_ratio,
    model_price: figures.model_price,
    cache_tokens: cachedTokens,
    cache_ratio: figures.cache_ratio,
    frt,
    end,
    duration_ms: tookMs,
    path: facts.path,
    admin_info: info,
  }
  let text = `${printed.beforeCached}${cachedTokens}${printed.afterCached},"frt":${frt},"end":"${end}","duration_ms":${tookMs},"path":${JSON.stringify(facts.path)},"admin_info":${adminText(info, attemptLog, charged)}`
  const add = (members: Record<string, unknown>): void => {
    Object.assign(other, members)
    text += `,${JSON.stringify(members).slice(1, -1)}`
  }
  const written = usage.cacheWrite + usage.cacheWrite1h
  if (written > 0) add({ cache_creation_tokens: written, cache_creation_ratio: figures.cache_creation_ratio })
  if (charged.ws === true) add({ ws: true, ...audioOther(figures, usage) })
  else if (isAudio) add({ audio: true, ...audioOther(figures, usage) })
  if (facts.program !== undefined) {
    other.client = facts.program
    text += `,"client":${JSON.stringify(facts.program)}`
  }
  if (facts.askedName !== undefined) add({ asked_name: facts.askedName })
  if (facts.fallback !== undefined) add({ limit_fallback: facts.fallback })
  if (attemptLog.effort !== undefined) add({ reasoning_effort: attemptLog.effort })
  if (isMapped(facts, attemptLog)) add(mapping(attemptLog))
  if (attemptLog.unsupported.length > 0) add({ lost_fields: attemptLog.unsupported })
  if (attemptLog.session !== undefined) add(ofSession(facts, attemptLog.session))
  if (facts.capture?.taken === true) add({ inspected: true })
  const parameters = requestParameters(facts.body)
  if (parameters !== undefined) {
    other.parameters = parameters
    text += `,"parameters":${JSON.stringify(parameters)}`
  }
  if (charged.lane !== undefined) add({ lane: charged.lane })
  if (charged.cache?.miss !== undefined) add({ cache_miss: charged.cache.miss })
  return { other, text }
}
