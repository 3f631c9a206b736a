import { estimatePrompt } from '../../billing/counting/prompt.ts'
import { noUsage, sumOfUsage, type Usage, withUnknown } from '../../billing/usage.ts'
import { resolveDoubt, UsageReports } from '../../billing/usage-reports.ts'
import { wantedLifeMs } from '../../dialects/gemini/caching/cached-content.ts'
import { editMembers } from '../../lib/json/json-edit.ts'
import type { RelayCall } from '../call.ts'
import type { RelayChannel, RelayOptions } from '../ports.ts'
import type { AttemptLog } from '../records/attempt-log.ts'
import type { AttemptResult, ChannelAttempt } from '../routing/channel-attempt.ts'
import { mappedModel } from '../routing/model-mapping.ts'
import { unanswered } from '../routing/no-channel.ts'
import { tryChannels } from '../routing/try-channels.ts'
import { usageLimits } from '../usage/limits.ts'
import { askChannel, type ChannelAnswer, type WrittenBody } from './ask-channel.ts'
import type { CachedAnswer, CachedContentChange } from './cached-content-call.ts'
import { storageOf } from './payments.ts'
import type { CachedContentParts } from './ports.ts'

/** Asks one channel after the other to keep something. */
class CreationAttempt implements ChannelAttempt<ChannelAnswer> {
  private readonly call: RelayCall
  private readonly options: RelayOptions
  private readonly log: AttemptLog
  private readonly parts: CachedContentParts

  constructor(call: RelayCall, options: RelayOptions, log: AttemptLog, parts: CachedContentParts) {
    this.call = call
    this.options = options
    this.log = log
    this.parts = parts
  }

  prepare(channel: RelayChannel): void {
    this.log.upstreamModel = mappedModel(channel.modelMapping, this.call.model)
  }

  send(channel: RelayChannel, key: string): Promise<ChannelAnswer> {
    const { call, log, options, parts } = this
    const model = log.upstreamModel
    const body = ({ model: name, adjust }: WrittenBody): Buffer => {
      const changes = Object.entries({ ...adjust(call.body), model: name })
      return editMembers(call.raw, Object.fromEntries(changes.map(([key, value]) => [key, JSON.stringify(value)])))
    }
    const question = { method: 'POST', path: call.path, query: '', origin: call.model, model, id: '', body } as const
    return askChannel(question, { channel, key }, options, parts)
  }

  resultOf(answer: ChannelAnswer): AttemptResult {
    const { requestId } = answer
    if (answer.kind === 'answered') return { kind: 'answered', status: 200, requestId, error: '' }
    const { failure, status } = answer.refusal
    const { cause } = failure
    return { kind: 'refused', status: failure.status, requestId, error: cause, fault: failure, retryStatus: status }
  }
}

const answered = async (
  call: RelayCall,
  options: RelayOptions,
  log: AttemptLog,
  parts: CachedContentParts,
): Promise<CachedAnswer> => {
  const answer = await tryChannels(call, new CreationAttempt(call, options, log, parts), options, log, parts)
  if (answer?.kind === 'answered') return answer
  return { kind: 'refused', failure: unanswered(call, answer?.refusal, log, parts.channels) }
}

/** As reported, or as estimated where a report is beyond the model's context. */
const plausible = (tokens: number, call: RelayCall): Usage => {
  const reports = new UsageReports(usageLimits(call, call.model))
  reports.note({ ...noUsage, input: tokens })
  const { best, doubted } = reports
  const estimate = { ...noUsage, input: estimatePrompt(call.raw.length) }
  return doubted === undefined ? (best ?? noUsage) : resolveDoubt({ best, doubted }, estimate).usage
}

/** New cached content: it costs its tokens, and keeping them for the life that it has. */
export const creationOf = (call: RelayCall, parts: CachedContentParts): Omit<CachedContentChange, 'done'> => {
  const tokens = estimatePrompt(call.raw.length)
  const wanted = wantedLifeMs(call.body, call.startedAt)
  return {
    call,
    expected: sumOfUsage({ ...noUsage, input: tokens }, storageOf(tokens, wanted)),
    ask: (options, log) => answered(call, options, log, parts),
    usedBy({ tokens: reported, unknown, created, expires }) {
      const usage = plausible(reported, call)
      return withUnknown(sumOfUsage(usage, storageOf(usage.input, Math.min(expires - created, wanted))), unknown)
    },
    // Channels may have other names for model and content.
    shown: ({ name }, text) => {
      const members = { name: JSON.stringify(name), model: JSON.stringify(call.body.model) }
      return editMembers(Buffer.from(text), members).toString()
    },
  }
}
