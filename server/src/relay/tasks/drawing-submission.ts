import { errorText } from '@tollgate/contract'
import { textOf } from '../../dialects/conversation/json.ts'
import { AppError } from '../../lib/app-error.ts'
import { editMembers } from '../../lib/json/json-edit.ts'
import type { TaskPlatform } from '../../providers/dialects/tasks.ts'
import type { BoundPlace, CallFacts, PlannedCall } from '../call.ts'
import type { Channels } from '../ports.ts'
import type { Reader } from '../reader.ts'
import { type DrawingRequest, isFree } from './actions.ts'
import { drawingVerdict } from './drawing-verdict.ts'
import { placeOf } from './place.ts'
import type { DrawingTask, TaskBooks, TaskOptions } from './ports.ts'
import { drawingRefusal, TaskRefused } from './refusal.ts'
import type { Submission } from './submit.ts'

type Body = Readonly<Record<string, unknown>>

export interface SubmissionParts {
  readonly books: TaskBooks
  readonly channels: Channels
  readonly keyHashOf: (key: string) => string
  readonly taskOptions: () => TaskOptions
  /** Address for calls about the task that a request begins; undefined where the site has no public one. */
  readonly callbackUrl: (platform: TaskPlatform, requestId: string) => string | undefined
}

/** Common parts of requests to all task services. */
export interface TaskRequest {
  readonly facts: CallFacts & Pick<PlannedCall, 'plan'>
  /** The path at the upstream, with its query. */
  readonly upstreamPath: string
  readonly raw: Buffer
  readonly body: Body
  readonly accept: string | undefined
}

const refuse = (message: string): never => {
  throw new TaskRefused(drawingRefusal(message))
}

const modes = /\s*--(?:fast|relax|turbo)\b/g

/** The body with the operator's changes; all other bytes stay. `callbackUrl` is for one that states no address of its own. */
const edited = ({ raw, body }: TaskRequest, options: TaskOptions, callbackUrl: string | undefined): Buffer => {
  const changes: Record<string, string | undefined> = {}
  if (!options.accountFilter && 'accountFilter' in body) changes.accountFilter = undefined
  if (!options.notify && 'notifyHook' in body) changes.notifyHook = undefined
  if (options.notify && callbackUrl !== undefined && textOf(body.notifyHook) === '')
    changes.notifyHook = JSON.stringify(callbackUrl)
  if (options.clearModes && typeof body.prompt === 'string') {
    changes.prompt = JSON.stringify(body.prompt.replace(modes, ''))
  }
  // Services that ignore the case of names must not find another task than the checked one.
  for (const name of Object.keys(body)) {
    if (name === 'taskId' || name.toLowerCase() !== 'taskid') continue
    changes[name] = undefined // own names: spellings of taskId
  }
  return Object.keys(changes).length === 0 ? raw : editMembers(raw, changes)
}

/** The drawing that is continued: the caller's own, and, if the option says so, finished unless a MODAL follows. Throws TaskRefused. */
const originOf = async (
  { action, originId }: DrawingRequest,
  reader: Reader,
  parts: SubmissionParts,
): Promise<DrawingTask | undefined> => {
  if (originId === '') return undefined
  const origin = (await parts.books.drawing(reader, originId)) ?? refuse('task_not_found')
  const unfinished = origin.status !== 'SUCCESS' && action !== 'MODAL'
  return unfinished && parts.taskOptions().needsSuccess ? refuse('task_status_not_success') : origin
}

/** Binds the call to the channel of its drawing, which alone can continue it. */
const placeAfter = (origin: DrawingTask, parts: SubmissionParts): BoundPlace => {
  const place = placeOf(origin, parts.channels, parts.keyHashOf) ?? refuse('get_channel_info_failed')
  return place.channel.enabled ? place : refuse(errorText('task_channel_disabled', 'zh'))
}

/** The submission for a request. Throws TaskRefused. */
export const drawingSubmission = async (
  request: TaskRequest,
  drawing: DrawingRequest,
  parts: SubmissionParts,
): Promise<Submission> => {
  const { facts, body } = request
  const { action } = drawing
  // An upload is done when it is answered (novicezk/midjourney-proxy: all other submissions have `notifyHook`).
  const callbackUrl = action === 'UPLOAD' ? undefined : parts.callbackUrl('midjourney', facts.id)
  const origin = await originOf(drawing, facts.caller, parts)
  const own = action === 'SWAP_FACE' ? 'InsightFace' : textOf(body.prompt)
  const prompt = own || (origin?.prompt ?? '')
  return {
    call: { ...facts, raw: request.raw, body: { prompt }, place: origin && placeAfter(origin, parts) },
    platform: 'midjourney',
    action,
    free: isFree(action),
    path: request.upstreamPath,
    body: edited(request, parts.taskOptions(), callbackUrl),
    accept: request.accept,
    prompt,
    verdict: (answer, redacted) => drawingVerdict(action, answer, redacted),
    quotaRefusal: drawingRefusal('quota_not_enough'),
  }
}

/** A path of this server in the service's form: a mode such as `/mj-fast` is dropped. */
export const servicePath = (path: string): string => {
  if (!path.startsWith('/mj-')) return path
  const at = path.indexOf('/mj/')
  if (at < 0) throw new AppError('internal_error', { details: { reason: 'no drawing path', path } })
  return path.slice(at)
}
