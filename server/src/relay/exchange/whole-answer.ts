import type { Usage } from '../../billing/usage.ts'
import { type Doubted, UsageReports } from '../../billing/usage-reports.ts'
import { saysDeclined } from '../../dialects/conversation/declined.ts'
import { isObject, type JsonObject, parsedJson } from '../../dialects/conversation/json.ts'
import type { UpstreamError } from '../../dialects/dialect.ts'
import type { AnswerText } from '../../dialects/passthrough.ts'
import type { Extras } from '../../dialects/tools/tools-used.ts'
import type { RelayCall } from '../call.ts'
import { wordIn } from '../stream/answer-guard.ts'
import { requestIdOfAnswer } from '../upstream/request-id.ts'
import { bodyOfError } from '../upstream/upstream-failure.ts'
import { usageLimits } from '../usage/limits.ts'
import { isUndoubted } from '../usage/undoubted.ts'
import type { BadResponse, ProviderAnswer, ProviderRequest, ResponseHead, Used } from './exchange.ts'
import type { PrintedAnswer } from './printed-answer.ts'

/** Base of all answers that arrived whole. */
export abstract class WholeAnswer implements ProviderAnswer {
  readonly kind = 'answer'
  readonly begun = false
  readonly calls: number = 1
  abstract readonly json: JsonObject
  abstract readonly unsupported: readonly string[]
  protected readonly call: RelayCall
  protected readonly head: ResponseHead
  /** Model after the channel's mapping: its context size limits the usage that is accepted. */
  protected readonly model: string
  private readonly sent: Pick<ProviderRequest, 'body' | 'provider'>
  private usageReports: Pick<UsageReports, 'best' | 'doubted'> | undefined

  protected constructor(
    call: RelayCall,
    request: Pick<ProviderRequest, 'model' | 'body' | 'provider'>,
    head: ResponseHead,
  ) {
    this.call = call
    this.model = request.model
    this.sent = request
    this.head = head
  }

  usage(): Usage | undefined {
    return this.reports().best
  }

  doubted(): Doubted | undefined {
    return this.reports().doubted
  }

  isPartial(): boolean {
    return false
  }

  answerId(): string | undefined {
    return undefined
  }

  ownId(): string {
    const { id } = this.json
    return typeof id === 'string' && id !== '' ? id : requestIdOfAnswer(this.json)
  }

  isDeclined(): boolean {
    return saysDeclined(this.json)
  }

  blockedWord(words: readonly string[]): string | undefined {
    return words.length === 0 ? undefined : wordIn(this.output().text, words)
  }

  abstract output(): AnswerText
  abstract extras(): Extras
  abstract print(used: Used): PrintedAnswer
  /** Usage that the provider reported; undefined where it reported none. */
  protected abstract reported(): Usage | undefined

  /** Reports, parsed on first use. */
  private reports(): Pick<UsageReports, 'best' | 'doubted'> {
    if (this.usageReports !== undefined) return this.usageReports
    const usage = this.reported()
    const isSure = usage === undefined || isUndoubted(usage, this.call)
    this.usageReports = isSure ? { best: usage, doubted: undefined } : this.bounded(usage)
    return this.usageReports
  }

  private bounded(usage: Usage): UsageReports {
    const { body, provider } = this.sent
    const reports = new UsageReports(usageLimits(this.call, this.model, { sent: body, provider }))
    reports.note(usage)
    return reports
  }
}

/** Throws when `bytes` hold no JSON object. */
export const jsonObject = (bytes: Buffer): JsonObject => {
  const json: unknown = JSON.parse(bytes.toString())
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw new Error('no JSON object')
  return json as JsonObject
}

/** A response with a success status whose body is an error: `error` as the provider's dialect reads it, or `json` itself. */
export const badResponse = (json: JsonObject, error: UpstreamError | undefined): BadResponse =>
  error === undefined
    ? { kind: 'error', json, status: undefined }
    : { kind: 'error', json: { error }, status: error.status }

/** The model failed before any usable output; the same channel may be asked again at once. */
export const modelFailed = (error: UpstreamError): BadResponse => ({
  kind: 'error',
  json: { error },
  status: error.status,
  mayAskAgain: true,
})

const shownCharacters = 500

/** Refusal with status 200 and a text of the provider, which the operator reads; it is free. */
export const noAnswer = (json: JsonObject): BadResponse => ({
  kind: 'broken',
  code: 'empty_answer',
  cause: `neither contents nor usage: ${bodyOfError(json).toString('utf8', 0, shownCharacters)}`,
})

type ErrorReader = ((json: JsonObject) => UpstreamError | undefined) | undefined

/** A refusal in a provider's own shape as OpenAI would write it; the same bytes when it is none. */
export const openaiError = (body: Buffer, errorOf: ErrorReader): Buffer => {
  if (errorOf === undefined) return body
  const json = parsedJson(body.toString())
  const error = isObject(json) ? errorOf(json) : undefined
  return error === undefined ? body : Buffer.from(JSON.stringify({ error }))
}
