import { promptTokens } from '../../billing/usage.ts'
import type { RelayCall } from '../call.ts'
import type { Answered, Used } from '../exchange/exchange.ts'
import type { RelayChannel } from '../ports.ts'
import { countAtEngine, countTextAtEngine, type EngineCountParts } from './engine-counts.ts'

/**
 * Whether a stream that broke off, or was left, was counted here though its engine can count it. Nobody waits for its end, as the client of a
 * whole answer does.
 */
export const mayCountAtEngine = (
  { call, end }: { readonly call: RelayCall; readonly end: string },
  used: Used,
  channel: RelayChannel | undefined,
): channel is RelayChannel =>
  end !== 'done' &&
  used.estimated &&
  used.usage.disputed === undefined &&
  call.dialect !== undefined &&
  channel?.provider.engine !== undefined

/**
 * What was counted here, as the engine counts it where it still answers: its template is part of the prompt, and its tokenizer is the
 * model's. What the engine has reported itself stays. Remains an estimate, since nobody knows how much of the prompt was in its cache.
 */
export const countedByEngine = async (
  used: Used,
  {
    answered: { answer },
    call,
    channel,
    model,
  }: {
    readonly answered: Answered
    readonly call: RelayCall
    readonly channel: RelayChannel
    readonly model: string
  },
  parts: EngineCountParts,
): Promise<Used> => {
  const reported = answer.usage()
  const { text, earlier, toolCalls } = answer.output()
  const isWritten = reported === undefined && earlier === undefined && toolCalls === 0 && text !== ''
  const isPromptReported = reported !== undefined && promptTokens(reported) > 0
  const [input, output] = await Promise.all([
    isPromptReported ? undefined : countAtEngine(call, channel, parts),
    isWritten ? countTextAtEngine(text, model, channel, parts) : undefined,
  ])
  const { usage } = used
  return { ...used, usage: { ...usage, input: input ?? usage.input, output: output ?? usage.output } }
}
