import { type JsonObject, membersOf, textOf } from '../../dialects/conversation/json.ts'
import type { UpstreamError } from '../../dialects/dialect.ts'
import type { FirstRequest, FollowTools } from '../../dialects/media/following.ts'
import { errorWithCode } from './language.ts'

/** Polling starts with short pauses that double up to the longest, as in DashScope's own SDKs. */
const firstPauseMs = 250
const longestPauseMs = 3000

/** Polls in a row that may fail before the call does. */
const mostFailures = 5

const unfinished: ReadonlySet<unknown> = new Set(['PENDING', 'RUNNING', 'SUSPENDED'])

/**
 * The error of a task that failed; undefined while it runs and when it succeeded
 * (help.aliyun.com/zh/model-studio/manage-asynchronous-tasks).
 */
export const taskError = ({ task_status: status, code, message }: JsonObject): UpstreamError | undefined => {
  if (status === undefined || status === 'SUCCEEDED' || unfinished.has(status)) return undefined
  return errorWithCode(
    textOf(code) || `Task.${textOf(status)}`,
    textOf(message) || `the task ended as ${textOf(status)}`,
  )
}

const isBusy = (status: number): boolean => status === 429 || status >= 500

interface PollRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

const pollUntilDone = async (pollRequest: PollRequest, tools: FollowTools): Promise<JsonObject> => {
  let pause = firstPauseMs
  let failures = 0
  for (;;) {
    await tools.pause(pause)
    pause = Math.min(pause * 2, longestPauseMs)
    const answer = await tools.get(pollRequest).catch((error: unknown) => {
      failures += 1
      if (failures > mostFailures) throw error
      return undefined
    })
    if (answer === undefined || isBusy(answer.status)) continue
    failures = 0
    if (!unfinished.has(membersOf(answer.json.output).task_status)) return answer.json
  }
}

/**
 * Polls a task until it has succeeded or failed, and returns its last answer. An answer without an unfinished task is returned as
 * it is. When the client leaves, the task is cancelled. DashScope cancels only pending tasks; a running one is billed, so it is
 * polled to its end.
 */
export const followTask = async (
  json: JsonObject,
  { url, headers }: FirstRequest,
  tools: FollowTools,
): Promise<JsonObject> => {
  const { task_id: id, task_status: initialStatus } = membersOf(json.output)
  if (typeof id !== 'string' || !unfinished.has(initialStatus)) return json
  const root = url.slice(0, url.indexOf('/api/v1/'))
  const pollRequest = {
    url: `${root}/api/v1/tasks/${encodeURIComponent(id)}`,
    headers: { authorization: headers.authorization ?? '', accept: 'application/json' },
  }
  try {
    return await pollUntilDone(pollRequest, tools)
  } catch (error) {
    const isCancelled = await tools.abandon({ ...pollRequest, url: `${pollRequest.url}/cancel` })
    if (isCancelled || !tools.isClientGone) throw error
    return pollUntilDone(pollRequest, tools)
  }
}
