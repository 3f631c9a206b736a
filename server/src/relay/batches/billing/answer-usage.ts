import { sizeOfModel } from '../../../billing/tables/model-sizes.ts'
import { noUsage, type Usage } from '../../../billing/usage.ts'
import { resolveDoubt, UsageReports } from '../../../billing/usage-reports.ts'
import { passthrough as anthropic } from '../../../dialects/anthropic/passthrough.ts'
import { isObject, type JsonObject, membersOf, numberIn, textOf } from '../../../dialects/conversation/json.ts'
import { passthrough as gemini } from '../../../dialects/gemini/passthrough.ts'
import { withoutChoices } from '../../../dialects/openai-chat/passthrough.ts'
import { passthrough as responses } from '../../../dialects/openai-responses/passthrough.ts'
import type { PassthroughDialect } from '../../../dialects/passthrough.ts'
import { totalUsage } from '../../exchange/passthrough-dialect.ts'

/** Usage of one answer of a batch. */
export interface AnswerUsage {
  /** undefined where it is not stated. */
  readonly usage: Usage | undefined
  /** Empty where the answer names none. */
  readonly model: string
  /** True for a refusal before any output. */
  readonly isRefused: boolean
}

/** The service tier of every line, also where the line states the standard one. */
export const batchTier = 'batch'

const dialectOf = (answer: JsonObject): PassthroughDialect => {
  if (isObject(answer.usageMetadata) || Array.isArray(answer.candidates)) return gemini
  if (answer.type === 'message') return anthropic
  return answer.object === 'response' ? responses : withoutChoices
}

/** Documents that were read are sold by the page (docs.mistral.ai/capabilities/document_ai). */
const pagesIn = ({ usage_info: info }: JsonObject): Usage | undefined => {
  const pages = numberIn(membersOf(info).pages_processed)
  return pages === undefined || pages < 0 ? undefined : { ...noUsage, measures: { pages } }
}

/** Google's vectors state the tokens of their text alone. */
const vectorIn = ({ tokenCount, embedding }: JsonObject): Usage | undefined => {
  const input = Number(tokenCount)
  return isObject(embedding) && Number.isSafeInteger(input) && input > 0 ? { ...noUsage, input } : undefined
}

/** The verdict of a moderation is free. */
const verdictIn = ({ id, results }: JsonObject): Usage | undefined =>
  textOf(id).startsWith('modr') && Array.isArray(results) ? noUsage : undefined

const inBatch = (usage: Usage): Usage => {
  const { models } = usage
  const tiered = { ...usage, tier: usage.tier ?? batchTier }
  if (models === undefined) return tiered
  return {
    ...tiered,
    models: { ...models, others: models.others.map((each) => ({ ...each, usage: inBatch(each.usage) })) },
  }
}

/** Most times that a model may read its context for one answer, when provider tools work for it. */
const mostRounds = 20

/** The reported usage, or the line's size where the report exceeds the model's limits. */
const plausible = (usage: Usage, model: string, bytes: number): Usage => {
  const { context, output } = sizeOfModel(model)
  const reports = new UsageReports({ prompt: context * mostRounds, completion: output * mostRounds })
  reports.note(usage)
  const { best, doubted } = reports
  if (doubted === undefined) return best ?? usage
  return resolveDoubt({ best, doubted }, { ...noUsage, input: bytes, output: bytes }).usage
}

/** Usage of an answer in the batch tier. `bytes` is the length of its line; `model` counts where the answer names none. */
export const usageInBatch = (answer: JsonObject, model: string, bytes: number): AnswerUsage => {
  const dialect = dialectOf(answer)
  const stated = dialect.statedModel?.(answer)?.replace(/^models\//, '') || model
  const usage = dialect.usage(answer) ?? pagesIn(answer) ?? totalUsage(answer) ?? vectorIn(answer) ?? verdictIn(answer)
  return {
    usage: usage && inBatch(plausible(usage, stated, bytes)),
    model: stated,
    isRefused: dialect.refusedAtOnce?.(answer) === true,
  }
}

/** Usage of the whole batch in its tier. */
export const inBatchTier = inBatch
