import { sizeOfModel } from '../tables/model-sizes.ts'
import { type AnswerModels, completionTokens, type DisputedFigures, promptTokens, type Usage } from '../usage.ts'

/** How often a model may work on one answer. */
const mostRounds = 20

/** The counts of a usage, no more than so many of the prompt and of the completion together. */
const within = (usage: Usage, prompt: number, completion: number): Usage => {
  let [leftIn, leftOut] = [prompt, completion]
  const taken = (count: number): number => {
    const all = Math.min(count, leftIn)
    leftIn -= all
    return all
  }
  const written = (count: number): number => {
    const all = Math.min(count, leftOut)
    leftOut -= all
    return all
  }
  const output = written(usage.output)
  const bounded: Usage = {
    ...usage,
    input: taken(usage.input),
    cacheRead: taken(usage.cacheRead),
    cacheWrite: taken(usage.cacheWrite),
    cacheWrite1h: taken(usage.cacheWrite1h),
    audioInput: taken(usage.audioInput),
    output,
    audioOutput: written(usage.audioOutput),
    reasoning: Math.min(usage.reasoning, output),
  }
  if (usage.more === undefined) return bounded
  const isWritten = (kind: string): boolean => kind.endsWith('_output')
  const more = Object.entries(usage.more).map(([kind, count]) => [
    kind,
    isWritten(kind) ? written(count) : taken(count),
  ])
  return { ...bounded, more: Object.fromEntries(more) }
}

/**
 * The usage with what its other models can have used: nothing else could explain more, since what they wrote is not in the answer.
 * `disputed` are the figures beyond it.
 */
export const boundedModels = (
  usage: Usage,
  models: AnswerModels,
): { readonly usage: Usage; readonly disputed: DisputedFigures } => {
  const disputed = new Map<string, number>()
  const others = models.others.map((each) => {
    const { context, output } = sizeOfModel(each.model)
    const [prompt, completion] = [promptTokens(each.usage), completionTokens(each.usage)]
    const [mostPrompt, mostCompletion] = [context * mostRounds, output * mostRounds]
    if (prompt <= mostPrompt && completion <= mostCompletion) return each
    if (prompt > mostPrompt) disputed.set(`${each.model} prompt_tokens`, prompt)
    if (completion > mostCompletion) disputed.set(`${each.model} completion_tokens`, completion)
    return { ...each, usage: within(each.usage, mostPrompt, mostCompletion) }
  })
  return { usage: { ...usage, models: { ...models, others } }, disputed: Object.fromEntries(disputed) }
}
