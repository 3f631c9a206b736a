import { estimatePrompt } from '../../billing/counting/prompt.ts'
import { sumOfTurns } from '../../billing/reported/usage-of-turns.ts'
import { completionTokens, noUsage, promptTokens, sumOfUsage, type Usage, withStated } from '../../billing/usage.ts'
import { usageFromOpenai } from '../../billing/usage-openai.ts'
import { resolveDoubt, type UsageLimits, UsageReports, widestLimits } from '../../billing/usage-reports.ts'
import { withClaudeParts } from '../../dialects/anthropic/billed/claude-parts.ts'
import { isObject, type JsonObject, listOf, membersOf, objectsOf, textOf } from '../../dialects/conversation/json.ts'
import { saysSomething } from '../../dialects/event-content.ts'
import { saysInResponse } from '../../dialects/openai-responses/passthrough.ts'
import { createBoundedCache } from '../../lib/caches/bounded-cache.ts'
import type { Used } from '../exchange/exchange.ts'
import type { TokenCounter } from '../ports.ts'
import { transcriptUsage } from '../usage/transcript-usage.ts'
import type { SessionMeter } from './session-protocol.ts'
import { bytesOfBase64, formatOf, inputSoundTokens, usualFormat } from './sound.ts'
import { StatedTurns } from './stated-turns.ts'
import { RealtimeTally } from './tally.ts'
import { ToolsOfTurns } from './tools-of-turns.ts'

/** Tokens around each tool that a model gets. */
const tokensPerTool = 8

/** Names of responses and transcripts that are remembered. */
const mostRemembered = 1000

/** In the option ToolPrices: transcripts of the input by another model, by their tokens. */
const transcription = 'input_transcription'

const textDeltas: ReadonlySet<string> = new Set([
  'response.text.delta',
  'response.output_text.delta',
  'response.audio_transcript.delta',
  'response.output_audio_transcript.delta',
  'response.function_call_arguments.delta',
])
const soundDeltas: ReadonlySet<string> = new Set(['response.audio.delta', 'response.output_audio.delta'])

/** A report of no usage counts as a report. */
const statesNothing = (usage: unknown): boolean =>
  isObject(usage) && usage.input_tokens === 0 && usage.output_tokens === 0

const usageOf = (report: unknown): Usage | undefined => {
  const usage = usageFromOpenai(report)
  return usage && withClaudeParts(usage, membersOf(report))
}

const disputedIn = ({ disputed }: Usage, extras: Pick<Usage, 'disputed'>): Pick<Usage, 'disputed'> =>
  disputed === undefined && extras.disputed === undefined ? {} : { disputed: { ...disputed, ...extras.disputed } }

/**
 * Usage of a session from its events, by their beta and current names. Reports of the upstream count; without any, both sides' messages
 * are counted.
 */
export class Meter implements SessionMeter {
  /** True while the upstream owes a response, or the rest of one. */
  get owed(): boolean {
    return this.requested || this.open.size > 0
  }

  private hasOutput = false
  /** True if the running response has content. */
  private says = false
  /** Number of finished responses. */
  private responses = 0
  private reported: Usage = noUsage
  private readonly stated = new StatedTurns()
  /** True once the upstream has reported the usage of a response. */
  private reports = false
  private requested = false
  private readonly open = new Set<string>()
  /** Responses and transcripts that were counted: a repeated event is free. */
  private readonly counted = createBoundedCache<string, true>({ entries: mostRemembered })
  /** Content since the last report, except that of running responses. */
  private readonly latest = new RealtimeTally()
  /** Content of each running response, since a report covers one response only. */
  private readonly said = new Map<string, RealtimeTally>()
  /** Use of responses without reported usage. */
  private readonly unreported = new RealtimeTally()
  /** Seconds of input that the upstream has not committed yet. */
  private buffered = 0
  private inputFormat = usualFormat
  private outputFormat = usualFormat
  private tools: readonly string[] = []
  private readonly toolCalls = new ToolsOfTurns()
  /** Of the last response whose usage was not reported. */
  private unreportedTier: string | undefined
  private transcribes = false
  /** True once an implausible report was replaced by a count. */
  private corrected = false
  private readonly limits: UsageLimits

  /** Reports of one response are accepted up to `limits`. */
  constructor(limits: UsageLimits = widestLimits) {
    this.limits = limits
  }

  /** Notes an event of the client. */
  fromClient(event: JsonObject): void {
    const { type } = event
    if (type === 'input_audio_buffer.append') this.buffered += bytesOfBase64(event.audio) / this.inputFormat
    else if (type === 'conversation.item.create') this.item(membersOf(event.item))
    else if (type === 'session.update') this.instruct(membersOf(event.session))
    else if (type === 'response.create') {
      const { instructions, input } = membersOf(event.response)
      this.requested = true
      this.latest.inputText.add(textOf(instructions))
      for (const item of objectsOf(input)) this.item(item)
    }
  }

  /** Notes an event of the upstream; true at the end of a response. */
  fromUpstream(event: JsonObject): boolean {
    const type = textOf(event.type)
    this.note(type, event)
    return type === 'response.done'
  }

  private note(type: string, event: JsonObject): void {
    this.says ||= saysInResponse(event)
    if (textDeltas.has(type)) this.saidBy(event).outputText.add(textOf(event.delta))
    else if (soundDeltas.has(type)) this.saidBy(event).outputSeconds += bytesOfBase64(event.delta) / this.outputFormat
    else if (type === 'response.created') this.begin(event)
    else if (type === 'response.output_item.done') this.toolCalls.see(textOf(event.response_id), membersOf(event.item))
    else if (type === 'response.done') this.done(membersOf(event.response), event.usage)
    else if (type === 'input_audio_buffer.committed') this.takeBuffered()
    else if (type === 'input_audio_buffer.cleared') this.buffered = 0
    else if (type === 'conversation.item.input_audio_transcription.completed') this.transcribed(event)
    else if (type === 'error') this.refused()
    else if (/^(transcription_)?session\.(created|updated)$/.test(type)) this.settings(type, membersOf(event.session))
  }

  /** True if a price per call is due. */
  get answered(): boolean {
    return this.hasOutput || this.responses > 0 || this.reported !== noUsage
  }

  /** Usage so far, estimated where it was not reported. */
  get soFar(): Usage {
    const said = [...this.said.values()].map(({ estimate }) => estimate)
    const latest = this.counts ? [this.latest.estimate] : []
    const counted = [this.unreported.estimate, ...said, ...latest].reduce(sumOfUsage)
    return this.withCounted(sumOfUsage(counted, this.toolCalls.underWay))
  }

  get delivered(): Usage {
    return this.says ? this.soFar : this.withCounted(this.unreported.estimate)
  }

  withhold(): void {
    if (this.says) return
    this.latest.clear()
    this.buffered = 0
  }

  settled(model: string, counter: TokenCounter): Usage | Promise<Usage> {
    const { reported, unreported } = this
    return unreported.isEmpty ? reported : unreported.count(model, counter).then((more) => this.withCounted(more))
  }

  /** Usage at the end of the session. */
  async total(model: string, counter: TokenCounter): Promise<Used> {
    if (this.counts) {
      if (!this.reports) this.takeBuffered()
      this.unreported.take(this.latest)
    }
    for (const said of this.said.values()) this.unreported.take(said)
    const more = await this.unreported.count(model, counter)
    const estimated = this.corrected || promptTokens(more) + completionTokens(more) > 0
    const usage = this.withCounted(sumOfUsage(more, this.toolCalls.underWay))
    return { usage: estimated ? usage : withStated(usage, this.stated.whole), estimated }
  }

  /** Reported usage plus `counted` for the rest. */
  private withCounted(counted: Usage): Usage {
    const { unreportedTier: tier } = this
    return sumOfTurns(this.reported, tier === undefined ? counted : { ...counted, tier })
  }

  /**
   * True if content since the last report counts. An upstream that reports usage of responses does not charge for sound that led to
   * none, such as that of an open microphone.
   */
  private get counts(): boolean {
    return !this.transcribes && (!this.reports || this.owed)
  }

  private saidBy(event: JsonObject): RealtimeTally {
    this.hasOutput = true
    const id = textOf(event.response_id)
    const known = this.said.get(id)
    if (known !== undefined) return known
    const said = new RealtimeTally()
    this.said.set(id, said)
    return said
  }

  /**
   * Takes the content of a response and content without a response's name. For an unknown name everything counts as its own, unless it
   * reports no usage.
   */
  private takeSaid(id: string, usage: Usage | undefined): void {
    const isKnown = this.said.has(id) || this.open.has(id)
    if (!isKnown && usage !== undefined && completionTokens(usage) === 0) return
    for (const [by, said] of this.said) {
      if (isKnown && by !== id && by !== '') continue
      this.latest.take(said)
      this.said.delete(by)
    }
  }

  /** A response that was asked for and does not come costs nothing, like one that failed before any content. */
  private refused(): void {
    if (this.requested && this.open.size === 0) this.withhold()
    this.requested = false
  }

  private begin(event: JsonObject): void {
    this.requested = false
    const id = textOf(membersOf(event.response).id)
    this.open.add(id)
    this.counted.delete(id)
    // It answers the buffered sound.
    this.takeBuffered()
  }

  private takeBuffered(): void {
    this.latest.inputSeconds += this.buffered
    this.buffered = 0
  }

  /** `beside` is xAI's place of usage: its response contains an empty one. */
  private done(response: JsonObject, beside: unknown): void {
    if (this.isCounted(textOf(response.id))) return
    this.requested = false
    const own = usageOf(response.usage)
    const usage = own ?? usageOf(beside)
    this.takeSaid(textOf(response.id), usage)
    if (!this.open.delete(textOf(response.id))) this.open.clear()
    const isReported = usage !== undefined || statesNothing(response.usage) || statesNothing(beside)
    // The provider failed before any content.
    const isNothing = response.status === 'failed' && !isReported && !this.says && !saysSomething(response.output)
    if (isNothing) this.withhold()
    this.says = this.said.size > 0
    const extras = this.toolCalls.take(own === undefined ? { ...response, usage: beside } : response)
    if (isNothing) return
    this.responses += 1
    const { tier } = extras
    if (isReported) {
      this.reports = true
      this.stated.note(usage ?? noUsage)
      const counts = usage === undefined ? noUsage : this.plausible(usage)
      this.reported = sumOfTurns(this.reported, { ...counts, ...extras, ...disputedIn(counts, extras) })
      this.latest.clear()
      this.buffered = 0
      return
    }
    this.reported = sumOfTurns(this.reported, { ...noUsage, ...extras })
    if (tier !== undefined) this.unreportedTier = tier
    if (this.responses > 1) {
      for (const tool of this.tools) this.latest.tools.add(tool)
      this.latest.fixedTokens += this.tools.length * tokensPerTool
    }
    this.takeBuffered()
    this.unreported.take(this.latest)
  }

  /** Notes a response or transcript by its name; true if it was counted before. One without a name is always new. */
  private isCounted(name: string): boolean {
    if (name === '') return false
    if (this.counted.get(name) === true) return true
    this.counted.set(name, true)
    return false
  }

  /** The reported usage, or the counted one where the report is implausible. */
  private plausible(usage: Usage): Usage {
    const reports = new UsageReports(this.limits)
    reports.note(usage)
    const { best, doubted } = reports
    if (doubted === undefined) return usage
    this.takeBuffered()
    const resolved = resolveDoubt({ best, doubted }, this.latest.estimate)
    this.corrected ||= resolved.estimated
    return resolved.usage
  }

  /** Usage of a transcript, which another model made unless the session is for nothing else. */
  private transcribed({ usage, transcript, item_id: item, content_index: index }: JsonObject): void {
    const stated = transcriptUsage({ usage })
    if (stated === undefined) return
    if (this.isCounted(textOf(item) === '' ? '' : `transcript ${textOf(item)} ${String(index)}`)) return
    const used = this.plausibleTranscript(stated, textOf(transcript))
    this.stated.note(stated)
    if (this.transcribes) {
      this.reported = sumOfUsage(this.reported, used)
      return
    }
    const tokens = promptTokens(used) + completionTokens(used)
    const { disputed, unknown } = used
    const tools = { [transcription]: tokens }
    this.reported = sumOfUsage(this.reported, {
      ...noUsage,
      tools,
      ...(disputed === undefined ? {} : { disputed }),
      ...(unknown === undefined ? {} : { unknown }),
    })
  }

  private plausibleTranscript(usage: Usage, transcript: string): Usage {
    const reports = new UsageReports(widestLimits)
    reports.note(usage)
    const { best, doubted } = reports
    if (doubted === undefined) return usage
    this.corrected = true
    const seconds = this.latest.inputSeconds + this.buffered
    const output = estimatePrompt(Buffer.byteLength(transcript))
    return resolveDoubt({ best, doubted }, { ...noUsage, audioInput: inputSoundTokens(seconds), output }).usage
  }

  private instruct({ instructions, tools }: JsonObject): void {
    this.latest.inputText.add(textOf(instructions))
    if (Array.isArray(tools)) this.tools = listOf(tools).map((tool) => JSON.stringify(tool))
  }

  /** Counts an item that the client adds to the conversation. */
  private item({ content, output }: JsonObject): void {
    this.latest.inputText.add(textOf(output))
    for (const part of objectsOf(content)) {
      this.latest.inputText.add(textOf(part.text))
      this.latest.inputSeconds += bytesOfBase64(part.audio) / this.inputFormat
    }
  }

  private settings(type: string, session: JsonObject): void {
    const { input, output } = membersOf(session.audio)
    this.inputFormat = formatOf(session.input_audio_format ?? membersOf(input).format) ?? this.inputFormat
    this.outputFormat = formatOf(session.output_audio_format ?? membersOf(output).format) ?? this.outputFormat
    this.transcribes = session.type === 'transcription' || type.startsWith('transcription_')
  }
}
