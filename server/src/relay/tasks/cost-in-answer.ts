import { isObject, parsedJson } from '../../dialects/conversation/json.ts'
import type { CostFigures } from '../answer-cost/answer-cost.ts'
import { withFiguresAt } from '../answer-cost/edit-usage.ts'
import type { ClientAnswer } from './refusal.ts'

/** JSON, an object, that says what its task costs; the same bytes where nothing is known. */
export const withTaskCost = (json: Buffer, cost: CostFigures | undefined): Buffer =>
  cost === undefined ? json : withFiguresAt(json, ['usage'], cost, '{}')

/** An answer about one task that says what it costs, in its head and, where it is an object, in its JSON. */
export const withCostOf = (answer: ClientAnswer, cost: CostFigures): ClientAnswer => ({
  ...answer,
  bytes: isObject(parsedJson(answer.bytes.toString())) ? withTaskCost(answer.bytes, cost) : answer.bytes,
  cost,
})
