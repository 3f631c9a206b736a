import { defined, isObject, type JsonObject, membersOf, numberIn, objectsOf, textOf } from '../conversation/json.ts'
import { logprobEntries, logprobsOf } from '../conversation/logprobs.ts'

/** Gemini lists the chosen tokens and the most likely ones separately (ai.google.dev/api/generate-content#LogprobsResult). */

const readToken = ({ token, logProbability }: JsonObject): JsonObject => ({
  token: textOf(token),
  logprob: numberIn(logProbability) ?? 0,
  bytes: [...Buffer.from(textOf(token))],
})

/** Log probabilities in OpenAI's shape; undefined if the candidate has none. */
export const readLogprobs = (candidate: JsonObject): JsonObject | undefined => {
  const { chosenCandidates, topCandidates } = membersOf(candidate.logprobsResult)
  const top = objectsOf(topCandidates)
  return logprobsOf(
    objectsOf(chosenCandidates).map((chosen, at) => ({
      ...readToken(chosen),
      top_logprobs: objectsOf(top[at]?.candidates).map(readToken),
    })),
  )
}

const writeToken = ({ token, logprob }: JsonObject): JsonObject => defined({ token, logProbability: logprob })

/** The log probability fields of a candidate; an empty object if there are none. */
export const writeLogprobs = (logprobs: unknown): JsonObject => {
  const entries = logprobEntries(logprobs).filter(isObject)
  if (entries.length === 0) return {}
  const sum = entries.reduce((total, { logprob }) => total + (numberIn(logprob) ?? 0), 0)
  return {
    avgLogprobs: sum / entries.length,
    logprobsResult: {
      chosenCandidates: entries.map(writeToken),
      topCandidates: entries.map((entry) => ({ candidates: objectsOf(entry.top_logprobs).map(writeToken) })),
    },
  }
}
