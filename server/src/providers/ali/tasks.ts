import { type Members, membersOf, textOf } from '../../dialects/conversation/json.ts'
import type { UpstreamError } from '../../dialects/dialect.ts'
import type { Begun, FollowTools } from '../../dialects/media/following.ts'
import { errorAs } from './native.ts'

/** A task asks for patience: often at first, then less (DashScope's own clients do the same). */
const firstPauseMs = 250
const longestPauseMs = 3000

/** So many questions in a row may go unanswered; the task goes on meanwhile. */
const mostSilences = 5

const goesOn: ReadonlySet<unknown> = new Set(['PENDING', 'RUNNING', 'SUSPENDED'])

/** What went wrong with a task, where something did (help.aliyun.com/zh/model-studio/manage-asynchronous-tasks). */
export const taskError = ({ task_status: status, code, message }: Members): UpstreamError | undefined => {
  if (status === undefined || status === 'SUCCEEDED' || goesOn.has(status)) return undefined
  return errorAs(textOf(code) || `Task.${textOf(status)}`, textOf(message) || `the task ended as ${textOf(status)}`)
}

const isBusy = (status: number): boolean => status === 429 || status >= 500

interface Question {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

const askUntilOver = async (question: Question, tools: FollowTools): Promise<Members> => {
  let pause = firstPauseMs
  let silences = 0
  for (;;) {
    await tools.pause(pause)
    pause = Math.min(pause * 2, longestPauseMs)
    const answer = await tools.get(question).catch((error: unknown) => {
      silences += 1
      if (silences > mostSilences) throw error
      return undefined
    })
    if (answer === undefined || isBusy(answer.status)) continue
    silences = 0
    if (!goesOn.has(membersOf(answer.json.output).task_status)) return answer.json
  }
}

/**
 * Asks after a task until it is over, in whichever way. An answer that is no task is the answer. One that nobody waits for any
 * more is cancelled, which helps while it has not begun to run; one that runs has its price, and is followed to its end.
 */
export const followTask = async (json: Members, { url, headers }: Begun, tools: FollowTools): Promise<Members> => {
  const { task_id: id, task_status: begun } = membersOf(json.output)
  if (typeof id !== 'string' || !goesOn.has(begun)) return json
  const root = url.slice(0, url.indexOf('/api/v1/'))
  const question = {
    url: `${root}/api/v1/tasks/${encodeURIComponent(id)}`,
    headers: { authorization: headers.authorization ?? '', accept: 'application/json' },
  }
  try {
    return await askUntilOver(question, tools)
  } catch (error) {
    const isCancelled = await tools.abandon({ ...question, url: `${question.url}/cancel` })
    if (isCancelled || !tools.isLeft) throw error
    return askUntilOver(question, tools)
  }
}
