import { promptTokens } from '../../billing/usage.ts'
import type { RelayCall } from '../call.ts'
import type { Answered, Used } from '../exchange/exchange.ts'
import type { RelayChannel } from '../ports.ts'
import { countAtEngine, countTextAtEngine, type EngineCountParts } from './engine-counts.ts'

/** True if an interrupted stream was counted here although its engine can count it. Its client does not wait, unlike that of a whole answer. */
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
 * Replaces the gateway's count by the engine's, where it answers: it includes the template in the prompt and uses the model's tokenizer.
 * Reported usage stays. It remains an estimate, since the cached part of the prompt is unknown.
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
