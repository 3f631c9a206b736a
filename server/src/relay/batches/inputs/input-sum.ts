import { estimatePrompt } from '../../../billing/counting/prompt.ts'
import { sizeOfModel } from '../../../billing/tables/model-sizes.ts'
import { isObject, type JsonObject, membersOf, textOf } from '../../../dialects/conversation/json.ts'
import { shortText } from '../../../lib/bounded-text.ts'
import type { BatchInput } from '../ports.ts'

/** Completion tokens that are held for a line without a maximum. */
const usualOutput = 500
const longestName = 120
/** Most models of one input with an entry of their own. */
const mostModels = 50

const maxima = ['max_tokens', 'max_completion_tokens', 'max_output_tokens', 'maxOutputTokens'] as const
const answers = ['n', 'candidateCount'] as const

const countIn = (bodies: readonly JsonObject[], names: readonly string[]): number | undefined => {
  for (const body of bodies)
    for (const [name, value] of Object.entries(body))
      if (names.includes(name) && typeof value === 'number' && value > 0) return value
  return undefined
}

/** Vectors have no completion. */
const isVector = (url: string, model: string): boolean => /embed/i.test(url) || /embed/i.test(model)

/** The request in a line, in the forms of OpenAI and Mistral, of Anthropic, of Google and of xAI. */
const requestOf = (line: JsonObject): JsonObject => {
  const { body, params, request, batch_request: wrapped } = line
  if (isObject(body)) return body
  if (isObject(params)) return params
  if (isObject(request)) return request
  // Named after the kind of call.
  return isObject(wrapped) ? membersOf(Object.values(wrapped).find(isObject)) : line
}

const none = { lines: 0, prompt: 0, output: 0, longest: 0 }

/** Adds up the lines of an input by their models; a line that names none is one of the model ''. */
export class InputSum {
  private readonly sums = new Map<string, Omit<BatchInput, 'model'>>()

  /** `bytes` is the length of the line. */
  add(line: JsonObject, bytes: number): void {
    const request = requestOf(line)
    const named = shortText(textOf(request.model).replace(/^models\//, ''), longestName)
    const model = this.sums.has(named) || this.sums.size < mostModels ? named : ''
    const bodies = [request, membersOf(request.generationConfig), membersOf(request.generation_config)]
    const most = countIn(bodies, maxima) ?? (isVector(textOf(line.url), model) ? 0 : usualOutput)
    const output = Math.min(most, sizeOfModel(model).output) * Math.min(countIn(bodies, answers) ?? 1, 128)
    const prompt = estimatePrompt(bytes)
    const before = this.sums.get(model) ?? none
    this.sums.set(model, {
      lines: before.lines + 1,
      prompt: before.prompt + prompt,
      output: before.output + Math.ceil(output),
      longest: Math.max(before.longest, prompt),
    })
  }

  get all(): readonly BatchInput[] {
    return [...this.sums].map(([model, sum]) => ({ model, ...sum }))
  }
}

/** Several inputs as one; lines without a model are of `model`. */
export const joinedInputs = (inputs: readonly BatchInput[], model: string): readonly BatchInput[] => {
  const sums = new Map<string, BatchInput>()
  for (const input of inputs) {
    const name = input.model || model
    const before = sums.get(name)
    sums.set(
      name,
      before === undefined
        ? { ...input, model: name }
        : {
            model: name,
            lines: before.lines + input.lines,
            prompt: before.prompt + input.prompt,
            output: before.output + input.output,
            longest: Math.max(before.longest, input.longest),
          },
    )
  }
  return [...sums.values()]
}
