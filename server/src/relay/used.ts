import { noUsage, type Usage } from '../billing/usage.ts'
import { type Said, said } from './answer-text.ts'
import type { Outcome } from './attempt.ts'
import type { RelayCall } from './call.ts'
import type { TokenCounter } from './ports.ts'
import { usageOf } from './usage-of-answer.ts'

/** What an answer cost in tokens; `estimated` when nobody reported it. */
export interface Used {
  readonly usage: Usage
  readonly estimated: boolean
}

/** The frame around one tool call in a stream (relay reference §8.12). */
const tokensPerToolCall = 7

type Answered = Exclude<Outcome, { kind: 'refused' | 'gone' }>

const reported = (outcome: Answered): Usage | undefined =>
  outcome.kind === 'body' ? usageOf(outcome.json) : outcome.pump.usage()

const saidBy = (outcome: Answered): Said => {
  if (outcome.kind === 'body') return { text: said(outcome.json).text, toolCalls: 0 }
  const { text, toolCalls } = outcome.pump.produced
  return { text, toolCalls }
}

/** As the upstream reported it, or counted with the model's tokenizer. */
export const usedBy = async (
  outcome: Answered,
  call: RelayCall,
  model: string,
  counter: TokenCounter,
): Promise<Used> => {
  const usage = reported(outcome)
  if (usage !== undefined) return { usage, estimated: false }
  const { text, toolCalls } = saidBy(outcome)
  const [input, output] = await Promise.all([
    counter.prompt(model, call.path, call.body),
    text === '' ? 0 : counter.text(model, text),
  ])
  return { usage: { ...noUsage, input, output: output + toolCalls * tokensPerToolCall }, estimated: true }
}
