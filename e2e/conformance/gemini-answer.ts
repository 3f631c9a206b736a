import {
  count,
  createDraft,
  isJson,
  type Json,
  list,
  objectAt,
  type ParsedAnswer,
  parsedAnswer,
  text,
} from './parsed-answer.ts'

/** Vertex streams arguments value by value, each with its JSON path. */
const grow = (root: Record<string, unknown>, path: string, piece: Json): void => {
  const steps = [...path.matchAll(/\.([^.[\]]+)|\[(\d+)\]/g)].map(([, name, index]) => name ?? Number(index))
  let at: Record<string | number, unknown> = root
  steps.forEach((step, depth) => {
    const next = steps[depth + 1]
    if (next !== undefined) {
      at[step] ??= typeof next === 'number' ? [] : {}
      at = at[step] as Record<string | number, unknown>
    } else if (typeof piece.stringValue === 'string') at[step] = text(at[step]) + piece.stringValue
    else at[step] = piece.numberValue ?? piece.boolValue ?? null
  })
}

/** Parses generateContent answers or their chunks, from Gemini and Vertex or as the official client returns them. */
export const parseGeminiAnswer = (answers: readonly Json[]): ParsedAnswer => {
  const all = createDraft()
  let growing: { id: string; name: string; args: Record<string, unknown> } | undefined
  const addCall = (call: Json): void => {
    if (call.willContinue !== true && growing === undefined && !Array.isArray(call.partialArgs)) {
      all.calls.push({ id: text(call.id), name: text(call.name), rawArguments: JSON.stringify(call.args ?? {}) })
      return
    }
    growing ??= { id: text(call.id), name: text(call.name), args: {} }
    for (const piece of list(call.partialArgs)) grow(growing.args, text(piece.jsonPath), piece)
    if (call.willContinue === true) return
    all.calls.push({ id: growing.id, name: growing.name, rawArguments: JSON.stringify(growing.args) })
    growing = undefined
  }
  for (const answer of answers) {
    const usage = objectAt(answer, 'usageMetadata')
    if (usage.promptTokenCount !== undefined || usage.totalTokenCount !== undefined) {
      const input = count(usage.promptTokenCount) + count(usage.toolUsePromptTokenCount)
      const output = count(usage.candidatesTokenCount) + count(usage.thoughtsTokenCount)
      all.usage = { input, cached: count(usage.cachedContentTokenCount), output }
    }
    if (text(objectAt(answer, 'promptFeedback').blockReason) !== '') all.finish = 'safety'
    for (const candidate of list(answer.candidates)) {
      if (count(candidate.index) !== 0) continue
      all.finish = text(candidate.finishReason) || all.finish
      for (const part of list(objectAt(candidate, 'content').parts)) {
        if (part.thought === true) all.thinking += text(part.text)
        else all.text += text(part.text)
        if (isJson(part.functionCall)) addCall(part.functionCall)
      }
    }
  }
  return parsedAnswer(all)
}
