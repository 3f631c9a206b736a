import { sumOfTurns } from '../../../billing/reported/usage-of-turns.ts'
import { completionTokens, noUsage, promptTokens, type Usage, withStated } from '../../../billing/usage.ts'
import { resolveDoubt, type UsageLimits, UsageReports, widestLimits } from '../../../billing/usage-reports.ts'
import { type JsonObject, membersOf, objectsOf, textOf } from '../../../dialects/conversation/json.ts'
import { saysSomething } from '../../../dialects/event-content.ts'
import { readLiveUsage } from '../../../dialects/gemini/answer.ts'
import { type Grounding, openGrounding } from '../../../dialects/gemini/tools-used.ts'
import type { Used } from '../../exchange/exchange.ts'
import type { TokenCounter } from '../../ports.ts'
import type { SessionMeter } from '../session-protocol.ts'
import { bytesOfBase64, type SoundTokens } from '../sound.ts'
import { StatedTurns } from '../stated-turns.ts'
import { RealtimeTally } from '../tally.ts'
import { clientContent, realtimeInput, toolResponse } from './client-event.ts'

/** Tokens per second of sound (ai.google.dev/gemini-api/docs/live-session). */
export const tokensPerSecond = 25
const perSecond = (seconds: number): number => Math.trunc(seconds * tokensPerSecond)
const liveSound: SoundTokens = { input: perSecond, output: perSecond }

/** Tokens of a picture or video frame (ai.google.dev/gemini-api/docs/tokens). */
const tokensPerPicture = 258

/** Bytes of a second of sound: 16 bits, at the rate that its type names (ai.google.dev/gemini-api/docs/live). */
const bytesPerSecond = (mimeType: string, usualRate: number): number => {
  const [, rate] = /;\s*rate=(\d{4,6})\b/.exec(mimeType) ?? []
  return 2 * (rate === undefined ? usualRate : Number(rate))
}
const defaultRate = 16_000
const spokenRate = 24_000

/**
 * Usage of a Gemini Live session. Its provider reports each turn by itself: the whole context that the model read, and its output.
 * Without reports, both sides' messages are counted.
 */
export class LiveMeter implements SessionMeter {
  private hasOutput = false
  /** True if the running turn has content. */
  private says = false
  private turns = 0
  private reported: Usage = noUsage
  private readonly stated = new StatedTurns()
  /** True once the upstream has reported the usage of a turn. */
  private reports = false
  /** True if the client waits for a turn that has not begun. */
  private asked = false
  /** True during a turn. */
  private speaking = false
  private turn: UsageReports
  /** Reported usage of the last turn, until the next one begins. */
  private banked: Usage | undefined
  private grounding: Grounding = openGrounding()
  /** Since the last turn. */
  private readonly latest = new RealtimeTally(liveSound)
  /** Content of the last turn while its report may still come. */
  private readonly awaiting = new RealtimeTally(liveSound)
  /** Use of turns without reported usage. */
  private readonly unreported = new RealtimeTally(liveSound)
  /** True once an implausible report was replaced by a count. */
  private corrected = false
  private readonly limits: UsageLimits

  /** Reports of one turn are accepted up to `limits`. */
  constructor(limits: UsageLimits = widestLimits) {
    this.limits = limits
    this.turn = new UsageReports(limits)
  }

  get owed(): boolean {
    return this.asked || this.speaking
  }

  get answered(): boolean {
    return this.hasOutput || this.turns > 0 || this.reported !== noUsage
  }

  get soFar(): Usage {
    const counted = [this.reported, this.unreported.estimate, this.awaiting.estimate, this.underWay.estimate]
    return [...counted, this.turn.best ?? noUsage].reduce(sumOfTurns)
  }

  get delivered(): Usage {
    if (this.isHeard) return this.soFar
    return [this.reported, this.unreported.estimate, this.awaiting.estimate].reduce(sumOfTurns)
  }

  withhold(): void {
    if (this.isHeard) return
    this.latest.clear()
    this.turn = new UsageReports(this.limits)
    this.grounding = openGrounding()
  }

  /** True if the client has received content of the running turn, or a report that counts tokens of it. */
  private get isHeard(): boolean {
    const { best } = this.turn
    return this.says || (best !== undefined && completionTokens(best) > 0)
  }

  fromClient(event: JsonObject): void {
    const { setup } = event
    if (setup !== undefined) this.instruct(membersOf(setup))
    const content = clientContent(event)
    if (content !== undefined) {
      for (const turn of objectsOf(content.turns)) this.read(turn)
      if ((content.turnComplete ?? content.turn_complete) === true) this.ask()
    }
    const input = realtimeInput(event)
    if (input !== undefined) this.receive(input)
    const results = toolResponse(event)
    if (results !== undefined) {
      this.latest.inputText.add(JSON.stringify(results))
      this.ask()
    }
  }

  fromUpstream(event: JsonObject): boolean {
    const content = membersOf(event.serverContent)
    const calls = objectsOf(membersOf(event.toolCall).functionCalls)
    const parts = objectsOf(membersOf(content.modelTurn).parts)
    if (parts.length > 0 || calls.length > 0) this.begin()
    this.says ||= saysSomething([parts, calls, content.outputTranscription])
    for (const part of parts) this.say(part)
    for (const call of calls) this.latest.outputText.add(JSON.stringify(call))
    if (content.groundingMetadata !== undefined) this.grounding.see([content])
    if (event.usageMetadata !== undefined) this.report(readLiveUsage(event.usageMetadata))
    if (content.turnComplete !== true) return false
    this.complete()
    return true
  }

  settled(model: string, counter: TokenCounter): Usage | Promise<Usage> {
    const { reported, unreported } = this
    return unreported.isEmpty ? reported : unreported.count(model, counter).then((more) => sumOfTurns(reported, more))
  }

  async total(model: string, counter: TokenCounter): Promise<Used> {
    this.unreported.take(this.awaiting)
    if (this.turn.best === undefined && this.turn.doubted === undefined) this.unreported.take(this.underWay)
    else this.complete()
    const more = await this.unreported.count(model, counter)
    const estimated = this.corrected || promptTokens(more) + completionTokens(more) > 0
    const searched = { ...noUsage, ...this.searches }
    const usage = [this.reported, more, searched].reduce(sumOfTurns)
    return { usage: estimated ? usage : withStated(usage, this.stated.whole), estimated }
  }

  /** Content since the last turn, where it counts: an upstream that reports usage does not charge for sound that led to no turn. */
  private get underWay(): RealtimeTally {
    const { best } = this.turn
    if (this.reports && !this.owed) return new RealtimeTally(liveSound)
    if (best === undefined) return this.latest
    // The first reports of a turn state its prompt alone.
    return completionTokens(best) > 0 ? new RealtimeTally(liveSound) : this.latest.outputOnly
  }

  /** Google's searches in the turn, which its provider lists without counting. */
  private get searches(): Pick<Usage, 'tools'> {
    const { tools } = this.grounding.extras()
    return tools === undefined ? {} : { tools }
  }

  private ask(): void {
    this.settleLast()
    this.banked = undefined
    this.asked = true
  }

  private begin(): void {
    if (!this.speaking) {
      this.settleLast()
      this.banked = undefined
    }
    this.hasOutput = true
    this.asked = false
    this.speaking = true
  }

  /** Closes the last turn, whose report will not come any more. */
  private settleLast(): void {
    this.unreported.take(this.awaiting)
  }

  private report(usage: Usage | undefined): void {
    if (usage === undefined || (!this.owed && this.isBanked(usage))) return
    this.reports = true
    this.turn.note(usage)
    // Some reports follow their turn.
    if (this.owed) return
    this.awaiting.clear()
    this.bank(this.awaiting)
  }

  /** True for a repeated report of the same turn: each turn reads more than the one before. */
  private isBanked(usage: Usage): boolean {
    const { banked } = this
    return (
      banked !== undefined &&
      promptTokens(banked) === promptTokens(usage) &&
      completionTokens(banked) === completionTokens(usage)
    )
  }

  private complete(): void {
    this.turns += 1
    this.says = false
    this.asked = false
    this.speaking = false
    if (this.turn.best === undefined && this.turn.doubted === undefined) {
      this.settleLast()
      this.awaiting.take(this.latest)
    } else this.bank(this.latest)
  }

  /** Adds the reported usage of a turn, replaced by its count where it is implausible. */
  private bank(counted: RealtimeTally): void {
    const { best, doubted } = this.turn
    this.banked = best
    this.stated.note(best ?? noUsage)
    const resolved =
      doubted === undefined
        ? { usage: best ?? noUsage, estimated: false }
        : resolveDoubt({ best, doubted }, counted.estimate)
    this.corrected ||= resolved.estimated
    this.reported = sumOfTurns(this.reported, { ...resolved.usage, ...this.searches })
    // Output is charged even if only the prompt was reported.
    if (completionTokens(resolved.usage) === 0) this.unreported.take(counted.outputOnly)
    counted.clear()
    this.turn = new UsageReports(this.limits)
    this.grounding = openGrounding()
  }

  private instruct(setup: JsonObject): void {
    this.read(membersOf(setup.systemInstruction ?? setup.system_instruction))
    for (const tool of objectsOf(setup.tools)) this.latest.inputText.add(JSON.stringify(tool))
  }

  /** Counts content of the client. */
  private read({ parts }: JsonObject): void {
    for (const part of objectsOf(parts)) {
      this.latest.inputText.add(textOf(part.text))
      this.takeMedia(membersOf(part.inlineData ?? part.inline_data))
    }
  }

  private receive(input: JsonObject): void {
    this.latest.inputText.add(textOf(input.text))
    const chunks = [input.audio, input.video, ...objectsOf(input.mediaChunks ?? input.media_chunks)]
    for (const chunk of chunks) this.takeMedia(membersOf(chunk))
  }

  private takeMedia(media: JsonObject): void {
    const mimeType = textOf(media.mimeType) || textOf(media.mime_type)
    if (mimeType.startsWith('audio/'))
      this.latest.inputSeconds += bytesOfBase64(media.data) / bytesPerSecond(mimeType, defaultRate)
    else if (mimeType !== '') this.latest.fixedTokens += tokensPerPicture
  }

  private say(part: JsonObject): void {
    this.latest.outputText.add(textOf(part.text))
    const { mimeType, data } = membersOf(part.inlineData)
    this.latest.outputSeconds += bytesOfBase64(data) / bytesPerSecond(textOf(mimeType), spokenRate)
  }
}
