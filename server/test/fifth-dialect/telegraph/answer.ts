import { completionTokens, noUsage, promptTokens, type Usage } from '../../../src/billing/usage.ts'
import type { Answer, Finish, Part } from '../../../src/dialects/conversation/conversation.ts'
import { countOf, isObject, type JsonObject, objectsOf, textOf } from '../../../src/dialects/conversation/json.ts'

export const writeFee = (usage: Usage): JsonObject => ({ in: promptTokens(usage), out: completionTokens(usage) })

/** undefined where the upstream names no fee. */
export const readFee = (fee: unknown): Usage | undefined =>
  isObject(fee) ? { ...noUsage, input: countOf(fee.in), output: countOf(fee.out) } : undefined

export const writeFinish = (finish: Finish): string => {
  if (finish === 'tool_calls') return 'order'
  return finish === 'length' ? 'cut' : 'over'
}

const writePart = (part: Part): JsonObject[] => {
  if (part.kind === 'text') return [{ text: part.text }]
  if (part.kind === 'tool_call') return [{ no: part.id, office: part.name, order: part.arguments }]
  return []
}

export const writeAnswer = ({ id, model, choices, usage }: Answer): JsonObject => ({
  telegram: id,
  to: model,
  lines: (choices[0]?.parts ?? []).flatMap(writePart),
  why: writeFinish(choices[0]?.finish ?? 'stop'),
  ...(usage === undefined ? {} : { fee: writeFee(usage) }),
})

export const textOfLine = ({ text, office, order }: JsonObject): string => textOf(text) + textOf(office) + textOf(order)

export const readAnswer = ({ telegram, to, lines, fee, why }: JsonObject): Answer => ({
  id: textOf(telegram),
  model: textOf(to),
  created: 0,
  choices: [
    {
      index: 0,
      parts: objectsOf(lines).map((line) => ({ kind: 'text', text: textOfLine(line) })),
      finish: why === 'cut' ? 'length' : 'stop',
    },
  ],
  usage: readFee(fee),
})
